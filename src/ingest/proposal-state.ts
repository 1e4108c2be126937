import type { Aspect, AspectWrite, EntityAspects, SystemMetadata } from '../aspect/aspect.ts';
import { jsonEqual } from '../aspect/json.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { DecisionView } from '../command/command.ts';
import { defaultAspectsOf } from '../entity/default-aspects.ts';
import { keyBodyOf, requireEntityType } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { applyPatch } from './aspect-patch.ts';
import type { Proposal } from './proposal.ts';

/** An aspect as the proposals before this one leave it; `undefined` where there is none. */
type State = {
  readonly body: JsonObject;
  readonly version: number;
  readonly modified: number;
  readonly systemMetadata: SystemMetadata | undefined;
};

/** What is stored, and on top of it what the proposals of one command change, in their order. */
export type ProposalState = {
  /** Throws ALREADY_EXISTS, PRECONDITION_FAILED, BAD_REQUEST. */
  apply(proposal: Proposal): void;
  writes(): readonly AspectWrite[];
  /** Entities that are deleted and have not come back. */
  deletedEntities(): readonly Urn[];
};

/** Reads what proposals have to be compared with, in at most two calls. */
export async function openProposalState(
  view: DecisionView,
  proposals: readonly Proposal[],
): Promise<ProposalState> {
  const stored = await readStored(view, proposals);
  /** By URN, then by aspect; a key aspect without a body deletes the entity. */
  const pending = new Map<Urn, Map<string, AspectWrite>>();
  /** States after earlier proposals, where they have been changed. */
  const states = new Map<string, State | undefined>();
  const deleted = new Set<Urn>();

  const stateOf = (urn: Urn, aspect: string): State | undefined => {
    const key = `${urn}\n${aspect}`;
    if (states.has(key)) return states.get(key);
    if (deleted.has(urn)) return undefined;
    return stateOfStored(stored.get(urn)?.get(aspect));
  };

  const put = (proposal: Proposal, body: JsonObject | undefined, text?: string): void => {
    const { urn, aspect, systemMetadata } = proposal;
    const before = stateOf(urn, aspect);
    const writes = writesOf(urn);
    writes.set(aspect, {
      urn,
      aspect,
      body,
      ...(text === undefined ? {} : { text }),
      ...(systemMetadata === undefined ? {} : { systemMetadata }),
    });
    const isChanged = before === undefined || body === undefined || !jsonEqual(before.body, body);
    states.set(
      `${urn}\n${aspect}`,
      body === undefined
        ? undefined
        : {
            body,
            version: (before?.version ?? 0) + (isChanged ? 1 : 0),
            modified: isChanged ? Number.POSITIVE_INFINITY : (before?.modified ?? 0),
            systemMetadata: systemMetadata ?? before?.systemMetadata,
          },
    );
    if (body !== undefined) noteExistence(urn, systemMetadata);
  };

  /** The first aspect of an entity brings its key aspect along, which stays even if that aspect is removed again. */
  const noteExistence = (urn: Urn, systemMetadata: SystemMetadata | undefined): void => {
    const { keyAspect } = requireEntityType(urnType(urn));
    if (stateOf(urn, keyAspect) !== undefined) return;
    const body = keyBodyOf(urn);
    const key = { urn, aspect: keyAspect, body };
    writesOf(urn).set(keyAspect, systemMetadata === undefined ? key : { ...key, systemMetadata });
    const modified = Number.POSITIVE_INFINITY;
    states.set(`${urn}\n${keyAspect}`, { body, version: 1, modified, systemMetadata });
  };

  const writesOf = (urn: Urn): Map<string, AspectWrite> => {
    let writes = pending.get(urn);
    if (writes === undefined) {
      writes = new Map();
      pending.set(urn, writes);
    }
    const { keyAspect } = requireEntityType(urnType(urn));
    if (deleted.has(urn) && writes.has(keyAspect) && writes.get(keyAspect)?.body === undefined) {
      // The entity comes back within the same command: it keeps its key, and else has what a new entity has.
      writes.delete(keyAspect);
      const defaults = new Map(defaultAspectsOf(requireEntityType(urnType(urn)), urn));
      for (const aspect of [...(stored.get(urn)?.keys() ?? []), ...defaults.keys()]) {
        if (aspect !== keyAspect) writes.set(aspect, { urn, aspect, body: defaults.get(aspect) });
      }
    }
    return writes;
  };

  const deleteEntity = ({ urn, aspect }: Proposal): void => {
    pending.set(urn, new Map([[aspect, { urn, aspect, body: undefined }]]));
    deleted.add(urn);
    for (const key of states.keys()) if (key.startsWith(`${urn}\n`)) states.set(key, undefined);
  };

  return {
    apply(proposal) {
      const { urn, aspect, changeType } = proposal;
      const state = stateOf(urn, aspect);
      const { keyAspect } = requireEntityType(urnType(urn));
      if (!holds(proposal, state)) return;
      if (changeType === 'CREATE' && state !== undefined) {
        if (isRepeat(proposal, state)) return;
        throw exists(proposal, 'the aspect already exists');
      }
      if (changeType === 'CREATE_ENTITY' && stateOf(urn, keyAspect) !== undefined) {
        if (state !== undefined && isRepeat(proposal, state)) return;
        throw exists(proposal, 'the entity key already exists');
      }
      if (changeType === 'DELETE') {
        if (aspect === keyAspect) deleteEntity(proposal);
        else if (state !== undefined) put(proposal, undefined);
      } else if (proposal.patch !== undefined)
        put(proposal, applyPatch(aspect, urn, state?.body, proposal.patch));
      else put(proposal, proposal.body, proposal.text);
    },
    deletedEntities: () =>
      [...deleted].filter((urn) => {
        const key = pending.get(urn)?.get(requireEntityType(urnType(urn)).keyAspect);
        return key !== undefined && key.body === undefined;
      }),
    writes: () => [...pending.values()].flatMap((writes) => [...writes.values()]),
  };
}

async function readStored(
  view: DecisionView,
  proposals: readonly Proposal[],
): Promise<ReadonlyMap<Urn, EntityAspects>> {
  const whole = new Set<Urn>();
  const urns = new Set<Urn>();
  const names = new Set<string>();
  for (const { urn, aspect, changeType } of proposals) {
    const { keyAspect } = requireEntityType(urnType(urn));
    urns.add(urn);
    names.add(keyAspect).add(aspect);
    if (changeType === 'DELETE' && aspect === keyAspect) whole.add(urn);
  }
  const others = [...urns].filter((urn) => !whole.has(urn));
  const [partly, wholly] = await Promise.all([
    others.length === 0 ? [] : view.readMany(others, [...names]),
    whole.size === 0 ? [] : view.readMany([...whole]),
  ]);
  return new Map([...partly, ...wholly]);
}

function stateOfStored(aspect: Aspect | undefined): State | undefined {
  if (aspect === undefined) return undefined;
  const { body, version, stamp, systemMetadata } = aspect;
  return { body, version, modified: stamp.time, systemMetadata };
}

/** False when the write is to be dropped without a word. Throws PRECONDITION_FAILED. */
function holds({ urn, aspect, preconditions }: Proposal, state: State | undefined): boolean {
  if (preconditions === undefined) return true;
  const { onlyIfAbsent, version, modifiedSince, unmodifiedSince } = preconditions;
  const failed = (text: string): PostilError =>
    new PostilError('PRECONDITION_FAILED', `${text} (${aspect} of ${urn})`);
  const actual = state?.version ?? -1;
  if (version !== undefined && version !== actual) {
    throw failed(`Expected version ${version}, actual version ${actual}`);
  }
  if (state !== undefined) {
    const { modified } = state;
    if (modifiedSince !== undefined && modified <= modifiedSince) {
      throw failed(`Last modified at ${modified}, not since ${modifiedSince}`);
    }
    if (unmodifiedSince !== undefined && modified > unmodifiedSince) {
      const when = Number.isFinite(modified)
        ? `at ${modified}`
        : 'by an earlier proposal of the same request';
      throw failed(`Last modified ${when}, after ${unmodifiedSince}`);
    }
  }
  return onlyIfAbsent !== true || state === undefined;
}

/** Retries send a CREATE again: the same value from the same run is done already (wire 12, trap 8). */
function isRepeat({ body, systemMetadata }: Proposal, state: State): boolean {
  const runId = systemMetadata?.['runId'];
  return runId !== undefined && runId === state.systemMetadata?.['runId'] && jsonEqual(body, state.body);
}

function exists({ urn, aspect, changeType }: Proposal, reason: string): PostilError {
  return new PostilError(
    'ALREADY_EXISTS',
    `Cannot perform ${changeType} of ${aspect} of ${urn} since ${reason}`,
  );
}
