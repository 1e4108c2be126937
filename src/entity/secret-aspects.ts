/**
 * Aspects that hold something by which one gets in, here or elsewhere: recipes and settings have passwords in them. Only
 * who manages policies or tokens is ever told what is in them, and nobody is told through what is computed from aspects
 * (reliability section 1, finding 5: one list, every path).
 */
const secretAspects: ReadonlySet<string> = new Set([
  'corpUserCredentials',
  'dataHubSecretValue',
  'dataHubConnectionDetails',
  'dataHubAccessTokenInfo',
  'inviteToken',
  'globalSettingsInfo',
  'dataHubIngestionSourceInfo',
  'dataHubExecutionRequestInput',
]);

export function isSecretAspect(aspect: string): boolean {
  return secretAspects.has(aspect);
}
