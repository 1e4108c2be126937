import type { Resolvers } from '../graphql/resolver.ts';

/** Resolves `appConfig`; `version` is that of the running program. */
export function appConfigResolvers(version: string): Resolvers {
  const appConfig = {
    appVersion: version,
    // Neither can be switched off: there is no way in without a token, and tests can always be evaluated.
    authConfig: { tokenAuthEnabled: true },
    testsConfig: { enabled: true },
  };
  return { Query: { appConfig: () => appConfig } };
}
