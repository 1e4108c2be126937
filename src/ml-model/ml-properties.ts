import type { JsonObject } from '../aspect/json.ts';
import { keyBodyOf } from '../entity/entity-registry.ts';
import { referredEntities } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { integerIn, knownTextIn, listIn, objectIn, textIn, textsIn } from '../entity/stored-member.ts';
import { trainingValues } from '../entity/training-values.ts';
import type { Urn } from '../urn/urn.ts';

const dataTypes: ReadonlySet<string> = new Set([
  'USELESS',
  'NOMINAL',
  'ORDINAL',
  'BINARY',
  'COUNT',
  'TIME',
  'INTERVAL',
  'IMAGE',
  'VIDEO',
  'AUDIO',
  'TEXT',
  'MAP',
  'SEQUENCE',
  'SET',
  'CONTINUOUS',
  'BYTE',
  'UNKNOWN',
]);

/** A part of the URN, by its name in the key. Throws INVALID_URN when the parts do not fit. */
export function mlKeyPart(urn: Urn, part: string): string {
  return textIn(keyBodyOf(urn), part) ?? '';
}

/** What `mlModelProperties` says; `body` is kept for members that are made when they are asked for. */
export function modelProperties(body: JsonObject, urn: Urn): object {
  return {
    urn,
    body,
    name: textIn(body, 'name'),
    description: textIn(body, 'description'),
    date: integerIn(body, 'date'),
    version: versionTag(body)?.versionTag ?? null,
    type: textIn(body, 'type'),
    hyperParams: trainingValues(body, 'hyperParams'),
    trainingMetrics: trainingValues(body, 'trainingMetrics'),
    mlFeatures: textsIn(body, 'mlFeatures'),
    tags: textsIn(body, 'tags'),
    groups: optionalEntities(body, 'groups', 'mlModelGroup'),
    externalUrl: textIn(body, 'externalUrl'),
  };
}

/** What `mlModelGroupProperties` says. */
export function modelGroupProperties(body: JsonObject, urn: Urn): object {
  return {
    urn,
    body,
    name: textIn(body, 'name'),
    description: textIn(body, 'description'),
    createdAt: integerIn(objectIn(body, 'created'), 'time') ?? integerIn(body, 'createdAt'),
    version: versionTag(body),
    externalUrl: textIn(body, 'externalUrl'),
  };
}

/** What `mlFeatureProperties` and `mlPrimaryKeyProperties` say. */
export function featureProperties(body: JsonObject, urn: Urn): object {
  return {
    urn,
    body,
    description: textIn(body, 'description'),
    dataType: dataTypeIn(body),
    version: versionTag(body),
    sources: optionalEntities(body, 'sources', 'dataset'),
  };
}

/** What `mlFeatureTableProperties` says. */
export function featureTableProperties(body: JsonObject, urn: Urn): object {
  return {
    urn,
    body,
    description: textIn(body, 'description'),
    mlFeatures: optionalEntities(body, 'mlFeatures', 'mlFeature'),
    mlPrimaryKeys: optionalEntities(body, 'mlPrimaryKeys', 'mlPrimaryKey'),
  };
}

/** The kind of values of a feature; `null` when it is not stored or not known. */
export function dataTypeIn(body: JsonObject): string | null {
  return knownTextIn(body, 'dataType', dataTypes);
}

function versionTag(body: JsonObject): { readonly versionTag: string | null } | null {
  const version = objectIn(body, 'version');
  return version === undefined ? null : { versionTag: textIn(version, 'versionTag') };
}

function optionalEntities(body: JsonObject, member: string, type: string): readonly EntityValue[] | null {
  return body[member] === undefined ? null : referredEntities(listIn(body, member), type);
}
