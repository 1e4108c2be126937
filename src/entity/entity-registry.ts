import type { JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { formatUrn, isUrn, urnKey, urnParts, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { suggestion } from './nearest-name.ts';
import registry from './registry.json' with { type: 'json' };

export type KeyField = {
  readonly name: string;
  /** True: the part of the key is itself a URN, such as a dataset's platform. */
  readonly isUrn: boolean;
};

/** A kind of entity: what its URN is made of and which aspects it may carry (wire appendix B.1). */
export type EntityType = {
  readonly name: string;
  readonly keyAspect: string;
  /** In the order in which they stand in the URN. */
  readonly keyFields: readonly KeyField[];
  /** Names of all aspects, the key aspect included. */
  readonly aspects: ReadonlySet<string>;
};

/** What the registry says about an aspect wherever it occurs (wire appendix B.2). */
export type AspectSpec = {
  readonly name: string;
  /** As rest.li prints it, such as `com.linkedin.dataset.DatasetProperties`. */
  readonly className: string;
  readonly isTimeseries: boolean;
  readonly schemaVersion: number;
};

type AspectRow = {
  readonly className: string;
  readonly timeseries?: boolean;
  readonly schemaVersion?: number;
};

const typesByName: ReadonlyMap<string, EntityType> = new Map(
  Object.entries(registry.entities).map(([name, row]) => [
    name,
    {
      name,
      keyAspect: row.keyAspect,
      keyFields: row.keyFields,
      aspects: new Set([row.keyAspect, ...row.aspects]),
    },
  ]),
);
const allTypes: readonly EntityType[] = [...typesByName.values()];

const aspectRows: { readonly [name: string]: AspectRow } = registry.aspects;
const specsByName: ReadonlyMap<string, AspectSpec> = new Map(
  Object.entries(aspectRows).map(([name, row]) => [
    name,
    {
      name,
      className: row.className,
      isTimeseries: row.timeseries === true,
      schemaVersion: row.schemaVersion ?? 1,
    },
  ]),
);
const aspectsByClass: ReadonlyMap<string, string> = new Map(
  [...specsByName.values()].map((spec) => [spec.className, spec.name]),
);

const classPrefix = 'com.linkedin.';
const avroClassPrefix = 'com.linkedin.pegasus2avro.';

/** The environments that a key field `origin` may name (`FabricType`, wire 8.2). */
export const environments: readonly string[] = [
  'DEV',
  'TEST',
  'QA',
  'UAT',
  'EI',
  'PRE',
  'STG',
  'NON_PROD',
  'PROD',
  'CORP',
  'RVW',
  'PRD',
  'TST',
  'SIT',
  'SBX',
  'SANDBOX',
  'CERT',
];
const knownEnvironments: ReadonlySet<string> = new Set(environments);

/** Key fields that hold URNs of one type only; the others take a URN of any type. */
const typeOfUrnField: ReadonlyMap<string, string> = new Map([
  ['platform', 'dataPlatform'],
  ['flow', 'dataFlow'],
]);

/** What clients encode inside the parts of a tuple (wire 2.4). */
const reserved = /[,()\u241f]/g;

/** All entity types, in the order of the registry. */
export function entityTypes(): readonly EntityType[] {
  return allTypes;
}

export function entityTypeOf(name: string): EntityType | undefined {
  return typesByName.get(name);
}

/** The entity type of that name. Throws UNKNOWN_ENTITY_TYPE with the nearest name. */
export function requireEntityType(name: string): EntityType {
  const type = typesByName.get(name);
  if (type !== undefined) return type;
  const hint = suggestion(name, typesByName.keys());
  throw new PostilError('UNKNOWN_ENTITY_TYPE', `Unknown entity type ${JSON.stringify(name)}.${hint}`);
}

export function aspectSpecOf(name: string): AspectSpec | undefined {
  return specsByName.get(name);
}

/**
 * The aspect of that name, if entities of this type may carry it. Throws UNKNOWN_ASPECT with the nearest name that they
 * may carry, or UNKNOWN_ENTITY_TYPE.
 */
export function requireAspect(entityType: string, aspect: string): AspectSpec {
  const type = requireEntityType(entityType);
  const spec = type.aspects.has(aspect) ? specsByName.get(aspect) : undefined;
  if (spec !== undefined) return spec;
  const problem = specsByName.has(aspect)
    ? `Entities of type ${entityType} have no aspect ${JSON.stringify(aspect)}.`
    : `Unknown aspect ${JSON.stringify(aspect)} of entity type ${entityType}.`;
  throw new PostilError('UNKNOWN_ASPECT', problem + suggestion(aspect, type.aspects));
}

/** The aspect of a class, with or without the `pegasus2avro.` that files on disk put into it (wire 2.4). */
export function aspectOfClassName(fullClass: string): string | undefined {
  return aspectsByClass.get(plainClassName(fullClass));
}

/** The name of a class as rest.li writes it: without `pegasus2avro.` (wire 2.4). */
export function plainClassName(fullClass: string): string {
  return fullClass.startsWith(avroClassPrefix)
    ? classPrefix + fullClass.substring(avroClassPrefix.length)
    : fullClass;
}

/**
 * The body of the key aspect that a URN stands for (wire 5.2, 8.2): one member per key field, percent-decoded, except
 * that a URN inside the key stays as it is, since decoding would make it the URN of something else. Throws INVALID_URN
 * when the parts do not fit the entity type, and UNKNOWN_ENTITY_TYPE.
 */
export function keyBodyOf(urn: Urn): JsonObject {
  const type = requireEntityType(urnType(urn));
  const parts = type.keyFields.length === 1 ? [urnKey(urn)] : urnParts(urn);
  if (parts.length !== type.keyFields.length) throw misfit(urn, type, `it has ${parts.length}`);
  const body: { [member: string]: string } = {};
  for (const [index, field] of type.keyFields.entries()) {
    const part = parts[index] ?? '';
    const problem = problemOf(field, part);
    if (problem !== undefined) throw misfit(urn, type, problem);
    body[field.name] = field.isUrn ? part : decoded(part);
  }
  return body;
}

/**
 * The URN that a key aspect describes; the opposite of `keyBodyOf`, encoding what is reserved. Throws INVALID_URN when a
 * key field is missing or does not fit, and UNKNOWN_ENTITY_TYPE.
 */
export function urnFromKey(entityType: string, key: JsonObject): Urn {
  const type = requireEntityType(entityType);
  const parts = type.keyFields.map((field) => {
    const value = key[field.name];
    if (typeof value !== 'string') {
      throw new PostilError(
        'INVALID_URN',
        `The key of a ${type.name} needs the text member "${field.name}".`,
      );
    }
    return field.isUrn ? value : encoded(value, type.keyFields.length > 1);
  });
  const urn = formatUrn(type.name, parts);
  keyBodyOf(urn);
  return urn;
}

function problemOf(field: KeyField, part: string): string | undefined {
  if (part === '') return `its ${field.name} is empty`;
  if (field.isUrn) {
    if (!isUrn(part)) return `its ${field.name} ${JSON.stringify(part)} is not a urn`;
    const wanted = typeOfUrnField.get(field.name);
    if (wanted !== undefined && urnType(part) !== wanted) return `its ${field.name} is not a ${wanted} urn`;
  }
  if (field.name === 'origin' && !knownEnvironments.has(part)) {
    return `${JSON.stringify(part)} is not an environment (${environments.join(', ')})`;
  }
  return undefined;
}

function misfit(urn: Urn, type: EntityType, problem: string): PostilError {
  const fields = type.keyFields.map((field) => `<${field.name}>`);
  const shape = fields.length === 1 ? fields.join('') : `(${fields.join(',')})`;
  return new PostilError(
    'INVALID_URN',
    `Invalid urn ${JSON.stringify(urn)}: a ${type.name} urn looks like urn:li:${type.name}:${shape}, but ${problem}` +
      `${problem.startsWith('it has') ? ' key parts' : ''}.`,
  );
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function encoded(value: string, inTuple: boolean): string {
  const escaped = inTuple ? value.replace(reserved, (character) => percent(character)) : value;
  return decoded(escaped) === value ? escaped : percentSignsFirst(value, inTuple);
}

function percentSignsFirst(value: string, inTuple: boolean): string {
  const escaped = value.replaceAll('%', '%25');
  return inTuple ? escaped.replace(reserved, (character) => percent(character)) : escaped;
}

/** `encodeURIComponent` leaves parentheses alone. */
function percent(character: string): string {
  if (character === '(') return '%28';
  if (character === ')') return '%29';
  return encodeURIComponent(character);
}
