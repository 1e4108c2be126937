import type { JsonObject } from '../aspect/json.ts';
import type { Demand } from '../auth/caller.ts';
import type { Command, DecisionView } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { formatUrn, parseUrn, type Urn, urnType } from '../urn/urn.ts';
import { policyDocument, type PolicyUpdateInput } from './policy-document.ts';

const aspect = 'dataHubPolicyInfo';
const managePolicies: readonly Demand[] = [{ anyOf: ['MANAGE_POLICIES'] }];

/** Stores a new policy; it is in force for the next request. Answers its URN. */
export const createPolicy: Command<PolicyUpdateInput, Urn> = {
  name: 'createPolicy',
  demands: () => managePolicies,
  async decide(_view, input, { now, newId }) {
    const urn = formatUrn('dataHubPolicy', [newId()]);
    return { writes: [{ urn, aspect, body: policyDocument(input, undefined, now) }], result: urn };
  },
};

export type UpdatePolicyInput = { readonly urn: string; readonly input: PolicyUpdateInput };

/** Replaces what a policy says, but for its roles. Equal input changes nothing. Answers its URN. */
export const updatePolicy: Command<UpdatePolicyInput, Urn> = {
  name: 'updatePolicy',
  demands: () => managePolicies,
  async decide(view, { urn: text, input }, { now }) {
    const { urn, stored } = await requireEditable(view, text, 'update');
    const body = policyDocument(input, stored, now);
    const before = JSON.stringify({ ...stored, lastUpdatedTimestamp: now });
    // Only the time would be another one.
    if (JSON.stringify(body) === before) return { writes: [], result: urn };
    return { writes: [{ urn, aspect, body }], result: urn };
  },
};

/** Deletes a policy; what it granted is gone for the next request. Answers its URN. */
export const deletePolicy: Command<{ readonly urn: string }, Urn> = {
  name: 'deletePolicy',
  demands: () => managePolicies,
  async decide(view, input) {
    const { urn } = await requireEditable(view, input.urn, 'delete');
    return { writes: [{ urn, aspect: 'dataHubPolicyKey', body: undefined }], result: urn };
  },
};

/** Throws ENTITY_NOT_FOUND, and BAD_REQUEST for what is no policy and for one that comes with the catalogue (wire 8.1). */
async function requireEditable(
  view: DecisionView,
  text: string,
  verb: string,
): Promise<{ readonly urn: Urn; readonly stored: JsonObject | undefined }> {
  const urn = parseUrn(text);
  if (urnType(urn) !== 'dataHubPolicy') {
    throw new PostilError('BAD_REQUEST', `Failed to ${verb} ${urn}. It is not a urn:li:dataHubPolicy URN.`);
  }
  if (!(await view.existing([urn])).has(urn)) {
    throw new PostilError('ENTITY_NOT_FOUND', `Failed to ${verb} ${urn}. Entity does not exist.`);
  }
  const stored = (await view.read(urn, [aspect])).get(aspect)?.body;
  if (stored?.['editable'] === false) {
    throw new PostilError(
      'BAD_REQUEST',
      `Failed to ${verb} ${urn}. It is a system policy, which comes with the catalogue and stays as it is.`,
    );
  }
  return { urn, stored };
}
