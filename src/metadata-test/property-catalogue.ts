import { aspectSpecOf, entityTypeOf, entityTypes } from '../entity/entity-registry.ts';
import { isSecretAspect } from '../entity/secret-aspects.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { shapeOf } from '../entity/shapes/aspect-shapes.ts';
import { anything, type Shape } from '../entity/shapes/shape.ts';
import { derivedAspects } from './derived-aspects.ts';

/** Properties every type has, whatever its registry entry says (well-known properties, group "Universal"). */
export const universalAspects: ReadonlySet<string> = new Set(['ownership', 'deprecation', 'status']);

/** What people write when they mean a property. */
const synonyms: { readonly [word: string]: string | undefined } = {
  owner: 'ownership.owners.owner',
  owners: 'ownership.owners.owner',
  description: 'effective.description',
  name: 'datasetProperties.name',
  tag: 'globalTags.tags.tag',
  tags: 'globalTags.tags.tag',
  term: 'glossaryTerms.terms.urn',
  terms: 'glossaryTerms.terms.urn',
  domain: 'domains.domains',
  platform: 'dataPlatformInstance.platform',
  columns: 'schemaFields',
  fields: 'schemaFields',
  schema: 'schemaFields',
  upstream: 'upstreamLineage.upstreams',
  upstreams: 'upstreamLineage.upstreams',
  type: 'entityType',
  removed: 'status.removed',
  deprecated: 'deprecation.deprecated',
};

/** Whether tests can read an aspect of that name. Secrets are none: a verdict or an explanation would tell of them. */
export function isAspectName(name: string): boolean {
  if (isSecretAspect(name)) return false;
  return aspectSpecOf(name) !== undefined || isKeyAspect(name) || derivedAspects.has(name);
}

/** What is inside the aspect; `any` when the registry does not describe it. */
export function shapeOfAspect(name: string): Shape {
  return shapeOf(name) ?? derivedAspects.get(name)?.shape ?? anything;
}

/** Whether entities of the type may have values under the aspect; true for an empty list of types, which means any. */
export function mayCarry(types: readonly string[], aspect: string): boolean {
  return types.length === 0 || types.some((type) => carries(type, aspect));
}

export function carries(type: string, aspect: string): boolean {
  return (
    universalAspects.has(aspect) ||
    (entityTypeOf(type)?.aspects.has(aspect) ?? false) ||
    (derivedAspects.get(aspect)?.types.includes(type) ?? false)
  );
}

/** The property that a word alone stands for among people. */
export function meantBy(word: string): string | undefined {
  return Object.hasOwn(synonyms, word) ? synonyms[word] : undefined;
}

export function nearestAspect(name: string): string | undefined {
  return nearestName(name, aspectNames());
}

/** Whether tests can be evaluated for the type: it has the aspect that holds the results. */
export function isTestable(type: string): boolean {
  return entityTypeOf(type)?.aspects.has('testResults') ?? false;
}

/** Registry name of an entity type in any case or in GraphQL form (`DATA_JOB`), or `undefined` (N12). */
export function entityTypeNamed(text: string): string | undefined {
  if (entityTypeOf(text) !== undefined) return text;
  return typesBySpelling.get(spelling(text));
}

export function nearestTestableType(text: string): string | undefined {
  const testable = [...typesBySpelling.values()].filter(isTestable);
  return nearestName(text, testable) ?? nearestName(text.replaceAll('_', ''), testable);
}

const typesBySpelling: ReadonlyMap<string, string> = new Map(
  entityTypes().map((type) => [spelling(type.name), type.name]),
);

function spelling(text: string): string {
  return text.replaceAll('_', '').toLowerCase();
}

function isKeyAspect(name: string): boolean {
  return name.endsWith('Key') && entityTypes().some((type) => type.keyAspect === name);
}

function aspectNames(): ReadonlySet<string> {
  allAspectNames ??= new Set([
    ...entityTypes().flatMap((type) => [...type.aspects].filter(isAspectName)),
    ...derivedAspects.keys(),
  ]);
  return allAspectNames;
}

let allAspectNames: ReadonlySet<string> | undefined;
