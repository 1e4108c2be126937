import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { listIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import type { Proposal } from './proposal.ts';
import { verbatimNumbersOf } from './verbatim-numbers.ts';

/**
 * The proposals as they came: what is ingested reads back equal (decision 21). Only domains that are said in associations alone are
 * said in the list as well, which everything goes by. Throws BAD_REQUEST when domains are sent in both ways and differ (wire 5.2).
 */
export function withListedDomains(proposals: readonly Proposal[]): readonly Proposal[] {
  if (!proposals.some(({ aspect }) => aspect === 'domains')) return proposals;
  return proposals.map((proposal) => {
    const { urn, aspect, body } = proposal;
    return aspect === 'domains' && body !== undefined
      ? withMembers(proposal, domainsOf(urn, body))
      : proposal;
  });
}

function domainsOf(urn: Urn, body: JsonObject): JsonObject {
  const domains = listIn(body, 'domains').filter((each) => typeof each === 'string');
  const associated = new Set(
    objectsIn(body, 'domainAssociations').map((each) => textIn(each, 'domain') ?? ''),
  );
  if (associated.size === 0) return {};
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
