import type { AspectReader } from '../aspect/aspect-store.ts';
import { jsonEqual, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { suggestion } from '../entity/nearest-name.ts';
import { booleanIn, listIn, objectIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';
import { entityTypeNamed, urnOfValueType, valueTypeOf, valueTypes, type ValueType } from './value-type.ts';

/** One value as it is stored: the member that it stands in says whether it is a text or a number (wire 8.3). */
export type StoredValue = { readonly string: string } | { readonly double: number };

/** A stored `propertyDefinition` as the checks need it. */
export type PropertyDefinition = {
  readonly urn: Urn;
  readonly body: JsonObject;
  /** `undefined` for a type that was ingested and that we do not know: then any value fits. */
  readonly valueType: ValueType | undefined;
  readonly isSingle: boolean;
  readonly isImmutable: boolean;
  /** Names of the registry. */
  readonly entityTypes: readonly string[];
  /** Empty: whatever fits the type is allowed. */
  readonly allowedValues: readonly StoredValue[];
  /** Which entities a value of the type urn may be; empty: any. */
  readonly allowedTypes: readonly string[];
};

export function definitionOf(urn: Urn, body: JsonObject): PropertyDefinition {
  return {
    urn,
    body,
    valueType: valueTypeOf(body['valueType']),
    isSingle: textIn(body, 'cardinality') !== 'MULTIPLE',
    isImmutable: booleanIn(body, 'immutable') ?? false,
    entityTypes: listIn(body, 'entityTypes').flatMap((type) => entityTypeNamed(type) ?? []),
    allowedValues: objectsIn(body, 'allowedValues').flatMap((each) => storedValueOf(objectIn(each, 'value'))),
    allowedTypes: listIn(objectIn(body, 'typeQualifier'), 'allowedTypes').flatMap(
      (type) => entityTypeNamed(type) ?? [],
    ),
  };
}

/** A stored value, none for what is neither text nor number. */
export function storedValueOf(value: JsonObject | undefined): readonly StoredValue[] {
  const text = value?.['string'];
  if (typeof text === 'string') return [{ string: text }];
  const number = value?.['double'];
  return typeof number === 'number' ? [{ double: number }] : [];
}

/**
 * The definitions of these properties, in their order. Throws BAD_REQUEST for a URN of anything else, ENTITY_NOT_FOUND for a
 * property that is not defined or is marked as removed.
 */
export async function requireDefinitions(
  view: Pick<AspectReader, 'readMany'>,
  urns: readonly Urn[],
): Promise<ReadonlyMap<Urn, PropertyDefinition>> {
  for (const urn of urns) requirePropertyUrn(urn);
  const stored = await view.readMany([...new Set(urns)], ['propertyDefinition', 'status']);
  const definitions = new Map<Urn, PropertyDefinition>();
  for (const urn of urns) {
    const aspects = stored.get(urn);
    const body = aspects?.get('propertyDefinition')?.body;
    if (body === undefined || aspects?.get('status')?.body['removed'] === true) {
      throw new PostilError(
        'ENTITY_NOT_FOUND',
        `The structured property ${urn} does not exist. Define it with createStructuredProperty first.`,
      );
    }
    definitions.set(urn, definitionOf(urn, body));
  }
  return definitions;
}

/** Throws BAD_REQUEST unless the URN is that of a structured property. */
export function requirePropertyUrn(urn: Urn): void {
  if (urnType(urn) === 'structuredProperty') return;
  throw new PostilError('BAD_REQUEST', `${urn} is not the urn of a structured property.`);
}

/** The data type of that URN. Throws BAD_REQUEST with those there are. */
export function requireValueType(text: string): ValueType {
  const type = valueTypeOf(parseUrn(text));
  if (type !== undefined) return type;
  const known = valueTypes.map(urnOfValueType);
  throw new PostilError(
    'BAD_REQUEST',
    `Unknown value type ${JSON.stringify(text)}.${suggestion(text, known)} There are ${known.join(', ')}.`,
  );
}

/** The entity type of that URN. Throws BAD_REQUEST for others. */
export function requireEntityTypeUrn(text: string): Urn {
  const urn = parseUrn(text);
  const name = entityTypeNamed(urn);
  if (name !== undefined && entityTypeOf(name) !== undefined) return urn;
  throw new PostilError(
    'BAD_REQUEST',
    `Unknown entity type ${JSON.stringify(text)}; one looks like urn:li:entityType:datahub.dataset.`,
  );
}

/** The same for entities that can bear structured properties. Throws BAD_REQUEST for others. */
export function requireBearerType(text: string): Urn {
  const urn = requireEntityTypeUrn(text);
  const name = entityTypeNamed(urn) ?? '';
  if (entityTypeOf(name)?.aspects.has('structuredProperties') === true) return urn;
  throw new PostilError('BAD_REQUEST', `Entities of type ${name} cannot have structured properties.`);
}

/** Throws BAD_REQUEST unless the property is for entities of this type; one that names no types was ingested so, and is for all. */
export function requireTarget({ urn, entityTypes }: PropertyDefinition, asset: Urn): void {
  const type = urnType(asset);
  if (entityTypes.length === 0 || entityTypes.includes(type)) return;
  throw new PostilError(
    'BAD_REQUEST',
    `The property ${urn} is not for ${asset}: it is for entities of type ${entityTypes.join(', ')}, not ${type}.`,
  );
}

/** Throws BAD_REQUEST for a property whose values stay as they were first set. */
export function requireMutable({ urn, isImmutable }: PropertyDefinition): void {
  if (!isImmutable) return;
  throw new PostilError(
    'BAD_REQUEST',
    `The property ${urn} is immutable: a value that is set can be neither changed nor removed.`,
  );
}

/**
 * Throws BAD_REQUEST where a definition would take less than it takes now: what was accepted once stays valid. That
 * somebody wants to be rid of it altogether is what deleteStructuredProperty is for.
 */
export function requireNotNarrower(now: PropertyDefinition, body: JsonObject | undefined): void {
  if (body === undefined) {
    throw new PostilError(
      'BAD_REQUEST',
      `The definition of ${now.urn} cannot be taken away alone; deleteStructuredProperty takes its values along.`,
    );
  }
  const next = definitionOf(now.urn, body);
  const isAsWide =
    next.valueType === now.valueType &&
    (now.isSingle || !next.isSingle) &&
    isAsOpen(now.entityTypes, next.entityTypes) &&
    isAsOpen(now.allowedTypes, next.allowedTypes) &&
    isAsOpen(now.allowedValues, next.allowedValues);
  if (isAsWide) return;
  throw new PostilError(
    'BAD_REQUEST',
    `The definition of ${now.urn} would take less than it takes now; a property cannot be narrowed.`,
  );
}

/** An empty list allows everything. */
function isAsOpen(now: readonly JsonValue[], next: readonly JsonValue[]): boolean {
  if (next.length === 0) return true;
  return now.length > 0 && now.every((each) => next.some((other) => jsonEqual(each, other)));
}
