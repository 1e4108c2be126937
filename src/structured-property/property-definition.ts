import type { AspectReader } from '../aspect/aspect-store.ts';
import type { JsonObject } from '../aspect/json.ts';
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
