import type { Demand } from '../auth/caller.ts';
import type { DecisionView } from '../command/command.ts';
import type { Hierarchy } from '../entity/hierarchy.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

/** Domains lie in each other. */
export const domains: Hierarchy = { aspect: 'domainProperties', member: 'parentDomain', title: 'domain' };

/** What the tree of domains demands of who changes it. */
export const manageDomains: readonly Demand[] = [{ anyOf: ['MANAGE_DOMAINS'] }];

/** The URN of a domain, stored or not. Throws INVALID_URN, and BAD_REQUEST behind `problem` for anything else. */
export function domainUrn(text: string, problem: string): Urn {
  const urn = parseUrn(text);
  if (urnType(urn) === 'domain') return urn;
  throw new PostilError('BAD_REQUEST', `${problem} ${urn} is not a domain.`);
}

/** Throws ENTITY_NOT_FOUND, with DataHub's text, unless the parent is there. */
export async function requireParentDomain(view: DecisionView, parent: Urn): Promise<void> {
  if ((await view.existing([parent])).has(parent)) return;
  throw new PostilError('ENTITY_NOT_FOUND', `Parent Domain does not exist! There is no ${parent}.`);
}

/** Whether a domain directly below the parent, or at the root, bears exactly this name. */
export async function isNameTaken(
  view: DecisionView,
  name: string,
  parent: Urn | undefined,
): Promise<boolean> {
  return (await view.childrenNamed('domain', parent, name)).length > 0;
}
