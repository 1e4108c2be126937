/**
 * Aspects that hold something by which one gets in somewhere. Only who manages policies or tokens is ever told what is in
 * them, and nobody is told through what is computed from aspects (reliability section 1, finding 5: one list, every path).
 */
const secretAspects: ReadonlySet<string> = new Set([
  'corpUserCredentials',
  'dataHubSecretValue',
  'dataHubConnectionDetails',
  'dataHubAccessTokenInfo',
  'inviteToken',
]);

export function isSecretAspect(aspect: string): boolean {
  return secretAspects.has(aspect);
}
