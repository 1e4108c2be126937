import type { AspectReader } from '../aspect/aspect-store.ts';
import type { AspectWrite } from '../aspect/aspect.ts';
import { jsonEqual, type JsonObject } from '../aspect/json.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { isUrn, urnType, type Urn } from '../urn/urn.ts';
import {
  definitionOf,
  requireMutable,
  requireTarget,
  storedValueOf,
  type PropertyDefinition,
  type StoredValue,
} from './property-definition.ts';
import { checkedValues, type PropertyValueInput } from './property-values.ts';

type Assignment = { readonly property: Urn; readonly source: string | null; readonly body: JsonObject };

const aspect = 'structuredProperties';

/**
 * Holds what is written by other ways than `upsertStructuredProperties` to the same rule: values fit the definitions of
 * their properties, which are as this command leaves them, and of an immutable property they stay (wire 5.2). Looked at is
 * only what changes. A property that is not defined has no rule, and what is ingested may refer to it (wire 5.3).
 * Costs nothing where no such aspect is written. Throws INVALID_ASPECT, naming entity, property and value.
 */
export async function checkAssignments(
  view: Pick<AspectReader, 'readMany'>,
  writes: readonly AspectWrite[],
): Promise<void> {
  const assets = new Map<Urn, AspectWrite>();
  for (const write of writes) if (write.aspect === aspect) assets.set(write.urn, write);
  if (assets.size === 0) return;
  const gone = new Set(writes.filter(endsEntity).map(({ urn }) => urn));
  const stored = await view.readMany([...assets.keys()], [aspect]);
  const changes = [...assets.values()].flatMap(({ urn, body }) => {
    if (gone.has(urn)) return [];
    const before = assignmentsOf(stored.get(urn)?.get(aspect)?.body);
    return { urn, ...differences(urn, before, assignmentsOf(body)) };
  });
  const named = changes.flatMap(({ changed, removed }) => [...changed, ...removed]);
  const definitions = await definitionsIn(view, writes, new Set(named.map(({ property }) => property)));
  for (const { urn, changed, removed, before } of changes) {
    for (const assignment of changed) {
      const definition = definitions.get(assignment.property);
      if (definition === undefined) continue;
      // An empty list says that there is no value, which fits every definition.
      const values = objectsIn(assignment.body, 'values').flatMap((value) => storedValueOf(value));
      const isThere = before.some((each) => isSameSlot(each, assignment));
      refuse(urn, assignmentProblem(definition, urn, values, isThere));
    }
    for (const { property } of removed) {
      const definition = definitions.get(property);
      if (definition !== undefined) refuse(urn, assignmentProblem(definition, urn, [], true));
    }
  }
}

/**
 * Why a property cannot be given these values on an entity, or, with none, not be taken away from it; `undefined` when it can.
 * `isThere`: it has other values so far.
 */
export function assignmentProblem(
  definition: PropertyDefinition,
  asset: Urn,
  values: readonly StoredValue[],
  isThere: boolean,
): string | undefined {
  try {
    if (isThere) requireMutable(definition);
    if (values.length > 0) {
      requireTarget(definition, asset);
      checkedValues(definition, values.map(inputOf));
    }
    return undefined;
  } catch (error) {
    if (error instanceof PostilError) return error.message;
    throw error;
  }
}

function endsEntity({ urn, aspect: name, body }: AspectWrite): boolean {
  return body === undefined && entityTypeOf(urnType(urn))?.keyAspect === name;
}

function assignmentsOf(body: JsonObject | undefined): readonly Assignment[] {
  return objectsIn(body, 'properties').flatMap((each) => {
    const property = each['propertyUrn'];
    if (!isUrn(property)) return [];
    return { property, source: textIn(objectIn(each, 'attribution'), 'source'), body: each };
  });
}

/** Whether both say what one source says of one property; clients patch them by these two (wire 5.4). */
function isSameSlot(one: Assignment, other: Assignment): boolean {
  return one.property === other.property && one.source === other.source;
}

/** What is given other values than before, and what is taken away. Throws INVALID_ASPECT for one that stands there twice. */
function differences(
  urn: Urn,
  before: readonly Assignment[],
  after: readonly Assignment[],
): {
  readonly before: readonly Assignment[];
  readonly changed: readonly Assignment[];
  readonly removed: readonly Assignment[];
} {
  const keyOf = ({ property, source }: Assignment): string => `${property}\n${source ?? ''}`;
  const known = new Map(before.map((each) => [keyOf(each), each]));
  const seen = new Set<string>();
  const changed = after.filter((each) => {
    const key = keyOf(each);
    if (seen.has(key)) {
      const message = `The property ${each.property} is given twice. Name it once, with all its values.`;
      throw invalid(urn, message);
    }
    seen.add(key);
    return !jsonEqual(known.get(key)?.body['values'], each.body['values']);
  });
  return { before, changed, removed: before.filter((each) => !seen.has(keyOf(each))) };
}

/** The definitions as they are after the command: those that it writes itself count. */
async function definitionsIn(
  view: Pick<AspectReader, 'readMany'>,
  writes: readonly AspectWrite[],
  properties: ReadonlySet<Urn>,
): Promise<ReadonlyMap<Urn, PropertyDefinition>> {
  const bodies = new Map<Urn, JsonObject | undefined>();
  if (properties.size === 0) return new Map();
  for (const [urn, aspects] of await view.readMany([...properties], ['propertyDefinition'])) {
    bodies.set(urn, aspects.get('propertyDefinition')?.body);
  }
  for (const write of writes) {
    if (!properties.has(write.urn)) continue;
    if (write.aspect === 'propertyDefinition' || endsEntity(write)) bodies.set(write.urn, write.body);
  }
  const definitions = new Map<Urn, PropertyDefinition>();
  for (const [urn, body] of bodies) if (body !== undefined) definitions.set(urn, definitionOf(urn, body));
  return definitions;
}

function inputOf(value: StoredValue): PropertyValueInput {
  return 'double' in value ? { numberValue: value.double } : { stringValue: value.string };
}

/** What is wrong with a value is, for who sent an aspect, wrong with the aspect. */
function refuse(urn: Urn, problem: string | undefined): void {
  if (problem !== undefined) throw invalid(urn, problem);
}

function invalid(urn: Urn, message: string): PostilError {
  return new PostilError('INVALID_ASPECT', `The aspect ${aspect} of ${urn} is not valid: ${message}`);
}
