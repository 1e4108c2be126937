import type { AspectWrite } from '../aspect/aspect.ts';
import type { Demand } from '../auth/caller.ts';
import type { Command } from '../command/command.ts';
import { checkedText } from '../command/plan-changes.ts';
import { aspectSpecOf } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { checkAssignments } from '../structured-property/check-assignments.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import { withListedDomains } from './listed-domains.ts';
import { refuseForeignReports } from './client-report.ts';
import { withDetachments } from './detach-deleted.ts';
import { demandOf } from './ingest-demands.ts';
import type { Proposal } from './proposal.ts';
import { openProposalState } from './proposal-state.ts';

/**
 * Applies proposals in their order, all or nothing; the answer is how many there were. Several for one aspect are applied
 * one after another, each seeing what the one before it left; the last value is stored. Unchanged values are not written
 * again, so a list that arrives twice does no harm (wire 2.2).
 * Throws FORBIDDEN, ALREADY_EXISTS (CREATE, CREATE_ENTITY), PRECONDITION_FAILED, and what `planChanges` throws.
 */
export const ingestProposals: Command<readonly Proposal[], number> = {
  name: 'ingestProposals',

  demands(proposals) {
    const demands: Demand[] = [];
    let last: Demand | undefined;
    for (const proposal of proposals) {
      if (urnType(proposal.urn) === 'dataHubAccessToken') {
        throw new PostilError(
          'FORBIDDEN',
          `Access tokens cannot be ingested (${proposal.urn}); make them with createAccessToken`,
        );
      }
      const demand = demandOf(proposal);
      if (demand.on === last?.on && demand.anyOf === last?.anyOf) continue;
      demands.push(demand);
      last = demand;
    }
    return demands;
  },

  async decide(view, sent, { caller }) {
    await refuseForeignReports(view, sent, caller);
    const proposals = withListedDomains(sent);
    const isPlain = proposals.every(needsNoState);
    const writes = isPlain ? proposals.map(writeOf) : await applyInOrder(proposals, view);
    await checkAssignments(view, writes);
    return { writes, result: proposals.length };
  },
};

/** Refuses what `ingestProposals` would refuse whatever is stored, and stores nothing. */
const checkProposals: Command<readonly Proposal[], number> = {
  name: 'checkProposals',
  demands: (proposals, caller) => ingestProposals.demands(proposals, caller),
  async decide(_view, proposals) {
    for (const { urn, aspect, body, text } of proposals) {
      if (body !== undefined) checkedText(urn, aspect, body, text);
    }
    return { writes: [], result: proposals.length };
  },
};

/**
 * Applies proposals by `ingestProposals`, in one command. Only where they hold several events of one timeseries aspect do
 * the second, third, ... follow in commands of their own: every event is a value to keep, and a command keeps the last.
 * Those need nothing that is stored, and all are checked first: nothing is stored when one proposal is refused.
 */
export async function ingestAll(
  proposals: readonly Proposal[],
  execute: (command: Command<readonly Proposal[], number>, part: readonly Proposal[]) => Promise<unknown>,
): Promise<void> {
  const parts = partsOf(proposals);
  if (parts.length > 1) await execute(checkProposals, proposals);
  for (const part of parts) await execute(ingestProposals, part);
}

function partsOf(proposals: readonly Proposal[]): readonly (readonly Proposal[])[] {
  // What is deleted in between takes the earlier events with it, so then their order has to stay.
  if (proposals.filter(isEvent).length < 2 || proposals.some(({ changeType }) => changeType === 'DELETE')) {
    return [proposals];
  }
  const rounds = new Map<string, number>();
  const parts: Proposal[][] = [];
  for (const proposal of proposals) {
    let round = 0;
    if (isEvent(proposal)) {
      const key = `${proposal.urn}\n${proposal.aspect}`;
      round = rounds.get(key) ?? 0;
      rounds.set(key, round + 1);
    }
    (parts[round] ??= []).push(proposal);
  }
  return parts.filter((part) => part !== undefined);
}

function isEvent(proposal: Proposal): boolean {
  return aspectSpecOf(proposal.aspect)?.isTimeseries === true && needsNoState(proposal);
}

/** Whether it can be applied without knowing what is stored: the write engine compares with that anyway. */
function needsNoState({ changeType, preconditions }: Proposal): boolean {
  return (
    preconditions === undefined &&
    (changeType === 'UPSERT' || changeType === 'UPDATE' || changeType === 'RESTATE')
  );
}

async function applyInOrder(
  proposals: readonly Proposal[],
  view: Parameters<typeof ingestProposals.decide>[0],
): Promise<readonly AspectWrite[]> {
  const state = await openProposalState(view, proposals);
  for (const proposal of proposals) state.apply(proposal);
  const writes = state.writes();
  const emptied = writes.filter(({ aspect, body }) => aspect === policyAspect && body === undefined);
  await refuseSystemPolicies(view, [...state.deletedEntities(), ...emptied.map(({ urn }) => urn)]);
  return withDetachments(view, writes, state.deletedEntities());
}

const policyAspect = 'dataHubPolicyInfo';

/** Policies that come with the catalogue stay in it, and say what they say (wire 5.2, 8.1). */
async function refuseSystemPolicies(
  view: Parameters<typeof ingestProposals.decide>[0],
  deleted: readonly Urn[],
): Promise<void> {
  const policies = deleted.filter((urn) => urnType(urn) === 'dataHubPolicy');
  for (const [urn, aspects] of await view.readMany(policies, [policyAspect])) {
    if (aspects.get(policyAspect)?.body['editable'] !== false) continue;
    throw new PostilError('BAD_REQUEST', `${urn} is a system policy, which cannot be deleted`);
  }
}

function writeOf({ urn, aspect, body, text, systemMetadata }: Proposal): AspectWrite {
  // Built member by member: this runs for every aspect of a bulk ingestion.
  if (text === undefined) {
    return systemMetadata === undefined ? { urn, aspect, body } : { urn, aspect, body, systemMetadata };
  }
  return systemMetadata === undefined
    ? { urn, aspect, body, text }
    : { urn, aspect, body, text, systemMetadata };
}
