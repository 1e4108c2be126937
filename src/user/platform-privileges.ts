import type { Caller } from '../auth/caller.ts';
import type { Privilege } from '../auth/privilege.ts';

/** The privilege behind each member of the GraphQL type `PlatformPrivileges`; without one, nobody has it. */
const privilegeBehind = {
  viewAnalytics: undefined,
  managePolicies: 'MANAGE_POLICIES',
  manageIdentities: undefined,
  generatePersonalAccessTokens: 'GENERATE_PERSONAL_ACCESS_TOKENS',
  createDomains: undefined,
  manageDomains: undefined,
  manageIngestion: undefined,
  manageSecrets: undefined,
  manageTokens: 'MANAGE_ACCESS_TOKENS',
  viewTests: 'VIEW_TESTS',
  manageTests: 'MANAGE_TESTS',
  manageGlossaries: 'MANAGE_GLOSSARIES',
  manageUserCredentials: undefined,
  createTags: undefined,
  manageTags: undefined,
  manageGlobalViews: undefined,
  manageOwnershipTypes: undefined,
  manageGlobalAnnouncements: undefined,
  createBusinessAttributes: undefined,
  manageBusinessAttributes: undefined,
  manageStructuredProperties: undefined,
  viewStructuredPropertiesPage: undefined,
} as const satisfies Readonly<Record<string, Privilege | undefined>>;

/** What the caller may do to the catalogue as a whole, by the names of the GraphQL type. */
export function platformPrivileges({ privileges }: Caller): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(privilegeBehind).map(([name, privilege]) => [
      name,
      privilege !== undefined && privileges.has(privilege),
    ]),
  );
}
