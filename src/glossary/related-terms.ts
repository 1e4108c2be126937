import type { AspectWrite } from '../aspect/aspect.ts';
import type { DecisionView } from '../command/command.ts';
import { textsIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';

export type RelatedTermsInput = {
  readonly urn: string;
  readonly termUrns: readonly string[];
  readonly relationshipType: 'isA' | 'hasA';
};

const aspect = 'glossaryRelatedTerms';
const members = { isA: 'isRelatedTerms', hasA: 'hasRelatedTerms' } as const;

/** Throws INVALID_URN. */
export function parsedUrns(input: RelatedTermsInput): { readonly urn: Urn; readonly terms: readonly Urn[] } {
  return { terms: [...new Set(input.termUrns.map(parseUrn))], urn: parseUrn(input.urn) };
}

/** Throws ENTITY_NOT_FOUND unless the URN is that of a stored term (contract section 7.12). */
export function checkRelatedTo(urn: Urn, existing: ReadonlySet<Urn>): void {
  if (urnType(urn) === 'glossaryTerm' && existing.has(urn)) return;
  throw new PostilError(
    'ENTITY_NOT_FOUND',
    `Failed to update ${urn}. ${urn} either does not exist or is not a glossaryTerm.`,
  );
}

/** The write that makes the related terms of one kind what `change` makes of them; none when they stay equal. */
export async function changeRelated(
  view: DecisionView,
  urn: Urn,
  kind: RelatedTermsInput['relationshipType'],
  change: (related: readonly string[]) => readonly string[],
): Promise<readonly AspectWrite[]> {
  const body = (await view.read(urn, [aspect])).get(aspect)?.body;
  const before = textsIn(body, members[kind]) ?? [];
  const after = change(before);
  if (after.length === before.length) return [];
  return [{ urn, aspect, body: { ...body, [members[kind]]: after } }];
}
