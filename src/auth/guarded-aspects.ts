/** Aspects that say who may do what, who may sign in, or that hold secrets. */
export const guardedAspects: ReadonlySet<string> = new Set([
  'roleMembership',
  'groupMembership',
  'nativeGroupMembership',
  'corpUserCredentials',
  'corpUserStatus',
  'inviteToken',
  'dataHubPolicyInfo',
  'dataHubRoleInfo',
  'dataHubSecretValue',
  'dataHubConnectionDetails',
  'dataHubIngestionSourceInfo',
  'dataHubExecutionRequestInput',
  'globalSettingsInfo',
  // Whoever writes it says who approved what, and may leave out the end.
  'testExemptions',
]);

/** Entity types whose very existence is a matter of policy. */
export const guardedTypes: ReadonlySet<string> = new Set([
  'inviteToken',
  'dataHubPolicy',
  'dataHubRole',
  'dataHubSecret',
  'dataHubConnection',
  'dataHubIngestionSource',
  'dataHubExecutionRequest',
  'globalSettings',
]);

/** Whose removal takes a suspension, a role or a membership away with it. */
export const typesGuardedFromDeletion: ReadonlySet<string> = new Set([
  ...guardedTypes,
  'corpuser',
  'corpGroup',
]);
