import type { Resolvers } from '../graphql/resolver.ts';
import { version } from '../version.ts';

const appConfig = {
  appVersion: version,
  // Neither can be switched off: there is no way in without a token, and tests can always be evaluated.
  authConfig: { tokenAuthEnabled: true },
  testsConfig: { enabled: true },
};

export const appConfigResolvers: Resolvers = { Query: { appConfig: () => appConfig } };
