import type { AspectReader } from '../aspect/aspect-store.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { domainAssociations } from '../association/domain-associations.ts';
import { ownersByType } from '../association/owner.ts';
import { listIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import type { Proposal } from './proposal.ts';
import { verbatimNumbersOf } from './verbatim-numbers.ts';

/**
 * The proposals with what DataHub keeps a second time filled in (wire 5.2): the owners by their types, and what is said of
 * each domain beside the list of domains. Done before anything is compared, so that a repeat is told from a change; patches
 * are none of this, as neither aspect can be patched.
 * Throws BAD_REQUEST when domains are sent in both ways and differ.
 */
export async function inStep(
  view: Pick<AspectReader, 'readMany'>,
  proposals: readonly Proposal[],
): Promise<readonly Proposal[]> {
  if (!proposals.some(({ aspect }) => aspect === 'ownership' || aspect === 'domains')) return proposals;
  const plain = proposals.filter(namesDomainsOnly).map(({ urn }) => urn);
  const stored = plain.length === 0 ? undefined : await view.readMany([...new Set(plain)], ['domains']);
  return proposals.map((proposal) => {
    const { urn, aspect, body } = proposal;
    if (body === undefined) return proposal;
    if (aspect === 'ownership') return withMembers(proposal, ownerTypesOf(body));
    if (aspect !== 'domains') return proposal;
    return withMembers(proposal, domainMembersOf(urn, body, stored?.get(urn)?.get('domains')?.body));
  });
}

function namesDomainsOnly({ aspect, body }: Proposal): boolean {
  return aspect === 'domains' && body !== undefined && listIn(body, 'domainAssociations').length === 0;
}

/** Always from the owners, whatever the sender says; an aspect without owners is left as it is, unless it says otherwise. */
function ownerTypesOf(body: JsonObject): JsonObject {
  const owners = objectsIn(body, 'owners');
  if (owners.length === 0 && body['ownerTypes'] === undefined) return {};
  return { ownerTypes: ownersByType(owners) };
}

function domainMembersOf(urn: Urn, body: JsonObject, before: JsonObject | undefined): JsonObject {
  const domains = listIn(body, 'domains').filter((each) => typeof each === 'string');
  const associated = new Set(
    objectsIn(body, 'domainAssociations').map((each) => textIn(each, 'domain') ?? ''),
  );
  if (associated.size === 0) {
    return domains.length === 0 ? {} : { domainAssociations: domainAssociations(domains, before) };
  }
  // The list is required, so who says it all with associations has to send an empty one.
  if (domains.length === 0) return { domains: [...associated] };
  if (new Set(domains).symmetricDifference(associated).size === 0) return {};
  throw new PostilError(
    'BAD_REQUEST',
    `The aspect domains of ${urn} says one thing in domains (${domains.join(', ')}) and another in ` +
      `domainAssociations (${[...associated].join(', ')}); send one of them, or both with the same domains.`,
  );
}

/** The same proposal where it says so already. Numbers keep the text in which they were sent. */
function withMembers(proposal: Proposal, members: JsonObject): Proposal {
  const { body, text } = proposal;
  const isThere = Object.entries(members).every(([name, value]) => isSame(body?.[name], value));
  if (isThere) return proposal;
  const numbers = text === undefined ? undefined : verbatimNumbersOf(text);
  const tree = numbers?.tree;
  const printed = isJsonObject(tree) ? numbers?.print({ ...tree, ...members }) : undefined;
  const { text: _replaced, ...rest } = proposal;
  return { ...rest, body: { ...body, ...members }, ...(printed === undefined ? {} : { text: printed }) };
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left !== undefined && right !== undefined && jsonEqual(left, right);
}
