import type { AspectChange, ChangeBatch, Relationship, WriteTransaction } from '../aspect/aspect-store.ts';
import type { Aspect, AspectWrite, AuditStamp, EntityAspects, SystemMetadata } from '../aspect/aspect.ts';
import { isNestedDeeper, jsonDepthMax, jsonEqual, type JsonObject } from '../aspect/json.ts';
import { isSameJson, holdsUnprintableNumber } from '../aspect/same-json.ts';
import { defaultAspectsOf } from '../entity/default-aspects.ts';
import { keyBodyOf, requireAspect, requireEntityType, type EntityType } from '../entity/entity-registry.ts';
import { validateAspect } from '../entity/validate-aspect.ts';
import { PostilError } from '../errors/postil-error.ts';
import { urnType, type Urn } from '../urn/urn.ts';
import { edgeChanges } from './edge-changes.ts';
import type { AspectBodies, Projections } from './projection.ts';

/** DataHub's own bound on one aspect (contract section 2.5), in characters of JSON text. */
export const aspectCharactersMax = 15 * 1024 * 1024;

type EntityWrites = {
  readonly type: EntityType;
  /** The last write of each aspect wins, in the order in which aspects were first named. */
  readonly writes: Map<string, AspectWrite>;
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

/**
 * Turns what a decision wants stored into rows: checks every aspect against the registry and its shape, adds the key
 * aspect of a new entity and what such entities have by default, leaves out what is already stored, and computes what is derived.
 * Throws UNKNOWN_ENTITY_TYPE, UNKNOWN_ASPECT, INVALID_ASPECT, LIMIT_EXCEEDED.
 */
export async function planChanges(
  transaction: WriteTransaction,
  writes: readonly AspectWrite[],
  projections: Projections,
  command: string,
  stamp: AuditStamp,
): Promise<ChangeBatch> {
  const entities = groupByEntity(writes);
  const stored = await readCurrent(transaction, entities, projections);
  const batch: Mutable<ChangeBatch> = {
    command,
    stamp,
    changes: [],
    observations: [],
    fragments: [],
    placements: [],
    searchEntries: [],
  };
  const unversioned: { urn: Urn; aspect: string; at: number }[] = [];
  for (const [urn, entity] of entities) {
    const current = stored.get(urn) ?? new Map<string, Aspect>();
    planEntity(urn, entity, current, projections, batch, unversioned);
  }
  if (unversioned.length > 0) {
    const versions = await transaction.lastVersions(unversioned);
    for (const [index, { at }] of unversioned.entries()) {
      const change = batch.changes[at];
      const versionBefore = versions[index] ?? 0;
      if (change !== undefined && versionBefore > 0) batch.changes[at] = { ...change, versionBefore };
    }
  }
  return batch;
}

function groupByEntity(writes: readonly AspectWrite[]): Map<Urn, EntityWrites> {
  const entities = new Map<Urn, EntityWrites>();
  for (const write of writes) {
    let entity = entities.get(write.urn);
    if (entity === undefined) {
      entity = { type: requireEntityType(urnType(write.urn)), writes: new Map() };
      entities.set(write.urn, entity);
    }
    requireAspect(entity.type.name, write.aspect);
    entity.writes.set(write.aspect, write);
  }
  return entities;
}

async function readCurrent(
  transaction: WriteTransaction,
  entities: ReadonlyMap<Urn, EntityWrites>,
  projections: Projections,
): Promise<ReadonlyMap<Urn, EntityAspects>> {
  const names = new Set<string>();
  const removed: Urn[] = [];
  const kept: Urn[] = [];
  for (const [urn, { type, writes }] of entities) {
    if (isRemoval(type, writes)) {
      removed.push(urn);
      continue;
    }
    kept.push(urn);
    names.add(type.keyAspect);
    for (const aspect of writes.keys()) names.add(aspect);
    for (const aspect of derivedFrom(type.name, writes, projections)) names.add(aspect);
  }
  const current = kept.length === 0 ? undefined : await transaction.readMany(kept, [...names]);
  if (removed.length === 0) return current ?? new Map();
  return new Map([...(current ?? []), ...(await transaction.readMany(removed))]);
}

function isRemoval(type: EntityType, writes: ReadonlyMap<string, AspectWrite>): boolean {
  const key = writes.get(type.keyAspect);
  return key !== undefined && key.body === undefined;
}

/** Aspects that have to be read beside the written ones, because something derived is made from both. */
function derivedFrom(
  entityType: string,
  writes: ReadonlyMap<string, AspectWrite>,
  projections: Projections,
): readonly string[] {
  const sources = [
    projections.placementAspects(entityType),
    ...projections.fragments.filter((each) => each.entityType === entityType).map((each) => each.aspects),
  ];
  return sources.filter((aspects) => aspects.some((aspect) => writes.has(aspect))).flat();
}

function planEntity(
  urn: Urn,
  { type, writes }: EntityWrites,
  current: EntityAspects,
  projections: Projections,
  batch: Mutable<ChangeBatch>,
  unversioned: { urn: Urn; aspect: string; at: number }[],
): void {
  const all = new Map(writes);
  if (isRemoval(type, writes)) {
    // Whatever else the command says of it goes as well: nothing is kept of an entity that does not exist.
    for (const aspect of [...writes.keys(), ...current.keys()])
      all.set(aspect, { urn, aspect, body: undefined });
  } else if (!current.has(type.keyAspect) && [...writes.values()].some((write) => write.body !== undefined)) {
    // The key belongs to the run that brought the entity, so that a repeated CREATE_ENTITY can be told from another's.
    const systemMetadata = (writes.get(type.keyAspect) ?? firstOf(writes))?.systemMetadata;
    const metadata = systemMetadata === undefined ? undefined : { systemMetadata };
    all.set(type.keyAspect, { urn, aspect: type.keyAspect, body: keyBodyOf(urn), ...metadata });
    for (const [aspect, body] of defaultAspectsOf(type, urn)) {
      if (!writes.has(aspect)) all.set(aspect, { urn, aspect, body, ...metadata });
    }
  } else if (writes.has(type.keyAspect)) {
    // A key that a client sends is replaced by the one that the URN says (wire section 5.2).
    all.delete(type.keyAspect);
  }
  const before = lazyBodies(current);
  const after = lazyBodies(current);
  const changed = new Set<string>();
  for (const [aspect, write] of all) {
    const change = planAspect(urn, type, write, current.get(aspect), projections, batch);
    if (change === undefined) continue;
    if (change.before === undefined) unversioned.push({ urn, aspect, at: batch.changes.length });
    batch.changes.push(change);
    changed.add(aspect);
    Object.defineProperty(after, aspect, { value: write.body });
  }
  planDerived(urn, type.name, before, after, changed, projections, batch);
}

function firstOf(writes: ReadonlyMap<string, AspectWrite>): AspectWrite | undefined {
  for (const write of writes.values()) if (write.body !== undefined) return write;
  return undefined;
}

function planAspect(
  urn: Urn,
  type: EntityType,
  write: AspectWrite,
  current: Aspect | undefined,
  projections: Projections,
  batch: Mutable<ChangeBatch>,
): AspectChange | undefined {
  const { aspect, body } = write;
  if (body === undefined && current === undefined) return undefined;
  const text = body === undefined ? undefined : checkedText(urn, aspect, body, write.text);
  const systemText = write.systemMetadata === undefined ? null : systemTextOf(write.systemMetadata, current);
  if (body !== undefined && current !== undefined && isSame(current, body, text)) {
    if (systemText !== null && systemText !== current.systemText) {
      batch.observations.push({ urn, aspect, current, systemText });
    }
    return undefined;
  }
  const edgesOf = (document: JsonObject): readonly Relationship[] => projections.edgesOf(aspect, document);
  const { added, removed } = edgeChanges(edgesOf, current?.body, body);
  const isKey = aspect === type.keyAspect;
  const entry = body === undefined ? undefined : projections.searchEntryOf(urn, aspect, body);
  const hadEntry = (): boolean =>
    current !== undefined && projections.searchEntryOf(urn, aspect, current.body) !== undefined;
  if (entry !== undefined || hadEntry()) batch.searchEntries.push({ urn, aspect, entry });
  return {
    urn,
    entityType: type.name,
    aspect,
    before: current,
    versionBefore: current?.version ?? 0,
    text,
    systemText,
    ...(isKey ? { existence: body === undefined ? ('ends' as const) : ('begins' as const) } : {}),
    addedRelationships: added,
    removedRelationships: removed,
  };
}

function planDerived(
  urn: Urn,
  entityType: string,
  before: AspectBodies,
  after: AspectBodies,
  changed: ReadonlySet<string>,
  projections: Projections,
  batch: Mutable<ChangeBatch>,
): void {
  if (projections.placementAspects(entityType).some((aspect) => changed.has(aspect))) {
    batch.placements.push({ urn, placement: projections.placementOf(urn, after) });
  }
  for (const fragment of projections.fragments) {
    if (fragment.entityType !== entityType) continue;
    if (!fragment.aspects.some((aspect) => changed.has(aspect))) continue;
    const text = fragment.text(after);
    if (text !== fragment.text(before)) batch.fragments.push({ urn, name: fragment.name, text });
  }
}

/** Bodies are parsed only when something derived asks for them. */
function lazyBodies(current: EntityAspects): AspectBodies {
  const bodies: AspectBodies = {};
  for (const [aspect, stored] of current) {
    Object.defineProperty(bodies, aspect, { get: () => stored.body, configurable: true });
  }
  return bodies;
}

function isSame(current: Aspect, body: JsonObject, text: string | undefined): boolean {
  if (current.text === text) return true;
  if (text === undefined || !jsonEqual(current.body, body)) return false;
  // Numbers in a text that was kept verbatim may differ although they are equal as parsed values.
  return !holdsUnprintableNumber(text) || isSameJson(current.text, text);
}

/** The text under which an aspect is stored. Throws INVALID_ASPECT, LIMIT_EXCEEDED. */
export function checkedText(urn: Urn, aspect: string, body: JsonObject, sent: string | undefined): string {
  if (isNestedDeeper(body)) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `The aspect ${aspect} of ${urn} is nested more than ${jsonDepthMax} levels deep`,
    );
  }
  const issues = validateAspect(aspect, body);
  if (issues.length > 0) {
    const listed = issues
      .slice(0, 5)
      .map(({ pointer, message }) => `${pointer === '' ? '/' : pointer} ${message}`);
    throw new PostilError(
      'INVALID_ASPECT',
      `The aspect ${aspect} of ${urn} is not valid: ${listed.join('; ')}`,
      {
        details: issues,
      },
    );
  }
  const text = sent !== undefined && holdsUnprintableNumber(sent) ? sent : JSON.stringify(body);
  if (text.length > aspectCharactersMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `The aspect ${aspect} of ${urn} has ${text.length} characters; ${aspectCharactersMax} are the limit`,
    );
  }
  // An escaped backslash before `u0000` is no escape of that character.
  if (text.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(text)) {
    throw new PostilError(
      'INVALID_ASPECT',
      `The aspect ${aspect} of ${urn} holds the character U+0000; remove it`,
    );
  }
  return text;
}

/** Keeps the previous run id, so that a run can be told from the one that first wrote the value (wire section 5.2). */
function systemTextOf(sent: SystemMetadata, current: Aspect | undefined): string {
  const previous = current?.systemMetadata?.['runId'];
  const known = previous !== undefined && previous !== sent['runId'] ? { lastRunId: previous } : {};
  return JSON.stringify({ ...sent, ...known });
}
