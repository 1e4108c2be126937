import type { Resolvers } from '../graphql/resolver.ts';
import { version } from '../version.ts';

const appConfig = {
  appVersion: version,
  // Neither can be switched off: there is no way in without a token, and tests can always be evaluated.
  authConfig: { tokenAuthEnabled: true },
  testsConfig: { enabled: true },
};

// DataHub's server for agents asks for it before each search, and searches without a view when it is null.
const globalViewsSettings = { defaultView: null };

export const appConfigResolvers: Resolvers = {
  Query: { appConfig: () => appConfig, globalViewsSettings: () => globalViewsSettings },
};
