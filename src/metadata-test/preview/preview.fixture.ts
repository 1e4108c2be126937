import type { TestCatalogue } from '../../../test/catalogue.ts';
import type { JsonObject } from '../../aspect/json.ts';
import { parseUrn, type Urn, urnType } from '../../urn/urn.ts';

/** Random numbers that a seed repeats. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const names = (kind: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `urn:li:${kind}:${kind}${index}`);

export const tagUrns = names('tag', 4);
export const termUrns = names('glossaryTerm', 4);
export const nodeUrns = names('glossaryNode', 2);
export const ownerUrns = names('corpuser', 4);
export const domainUrns = names('domain', 3);

/** Stores datasets and charts with tags, terms, owners, domains, descriptions and columns, and what those refer to. */
export async function seedRandomly(
  catalogue: TestCatalogue,
  random: (below: number) => number,
  count: number,
): Promise<readonly Urn[]> {
  for (const [index, urn] of termUrns.entries()) {
    const parentNode = nodeUrns[index % 2] ?? '';
    await catalogue.seed(urn, { glossaryTermInfo: { definition: 'x', termSource: 'INTERNAL', parentNode } });
  }
  for (const urn of nodeUrns) await catalogue.seed(urn, { glossaryNodeInfo: { definition: 'x' } });
  for (const [index, urn] of ownerUrns.entries()) {
    await catalogue.seed(urn, { corpUserInfo: { active: index % 2 === 0 } });
  }
  const urns: Urn[] = [];
  for (let index = 0; index < count; index += 1) {
    const platform = ['hive', 'kafka', 'looker'][random(3)] ?? '';
    const urn =
      random(5) === 0
        ? `urn:li:chart:(${platform},c${index})`
        : `urn:li:dataset:(urn:li:dataPlatform:${platform},d${index},PROD)`;
    urns.push(parseUrn(urn));
    await catalogue.seed(urn, randomAspects(random, urn.startsWith('urn:li:dataset')));
  }
  await joinSiblings(catalogue, urns.filter((urn) => urnType(urn) === 'dataset').slice(0, 20));
  return urns;
}

/** Makes each two neighbours siblings. */
async function joinSiblings(catalogue: TestCatalogue, urns: readonly Urn[]): Promise<void> {
  for (const [index, urn] of urns.entries()) {
    const other = urns[index % 2 === 0 ? index + 1 : index - 1];
    if (other === undefined) continue;
    await catalogue.seed(urn, { siblings: { siblings: [other], primary: index % 2 === 0 } });
  }
}

export function randomAspects(
  random: (below: number) => number,
  isDataset: boolean,
): { readonly [aspect: string]: JsonObject } {
  const some = (all: readonly string[], most: number): readonly string[] => [
    ...new Set(Array.from({ length: random(most + 1) }, () => all[random(all.length)] ?? '')),
  ];
  const stamp = { time: 1, actor: 'urn:li:corpuser:corpuser0' };
  const description = ['', ' ', 'short', 'a long description of it'][random(4)] ?? '';
  return {
    globalTags: { tags: some(tagUrns, 3).map((tag) => ({ tag })) },
    ...(random(4) === 0
      ? {}
      : { ownership: { owners: some(ownerUrns, 3).map((owner) => ({ owner, type: 'DATAOWNER' })) } }),
    ...(random(3) === 0 ? {} : { domains: { domains: some(domainUrns, 2) } }),
    glossaryTerms: { terms: some(termUrns, 2).map((urn) => ({ urn })), auditStamp: stamp },
    ...(random(8) === 0 ? { status: { removed: true } } : {}),
    ...(isDataset
      ? {
          datasetProperties: { description, customProperties: { team: ['a', 'b'][random(2)] ?? '' } },
          schemaMetadata: {
            schemaName: 'x',
            platform: 'urn:li:dataPlatform:hive',
            version: 0,
            hash: '',
            platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
            fields: Array.from({ length: random(4) }, (_, index) => ({
              fieldPath: `f${index}`,
              nativeDataType: 'x',
              type: { type: { 'com.linkedin.schema.StringType': {} } },
              ...(random(2) === 0 ? { description: 'a column' } : {}),
            })),
          },
        }
      : { chartInfo: { title: 'x', description, lastModified: { created: stamp, lastModified: stamp } } }),
  };
}

/** A random definition: of what rows tell, and of what only an evaluation can. */
export function randomDefinition(random: (below: number) => number): JsonObject {
  const pick = (all: readonly string[]): string => all[random(all.length)] ?? '';
  const leaves: readonly (() => JsonObject)[] = [
    () => ({ property: 'globalTags.tags.tag', operator: 'contains_any', values: [pick(tagUrns)] }),
    () => ({ property: 'globalTags.tags.tag', operator: 'count_at_least', values: [String(random(4))] }),
    () => ({ property: 'ownership.owners.owner', operator: 'exists' }),
    () => ({ property: 'ownership.owners.owner', operator: 'equals', values: [pick(ownerUrns)] }),
    () => ({ property: 'ownership.owners.owner.corpUserInfo.active', operator: 'is_true' }),
    () => ({ property: 'domains.domains', operator: 'exists' }),
    () => ({ property: 'glossaryTerms.terms.urn', operator: 'within', values: [pick(nodeUrns)] }),
    () => ({
      property: 'dataPlatformInstance.platform',
      operator: 'equals',
      values: ['urn:li:dataPlatform:hive'],
    }),
    () => ({ property: 'effective.description', operator: 'min_length', values: [String(random(8))] }),
    () => ({ property: 'datasetProperties.customProperties.team', operator: 'equals', values: ['a'] }),
    () => ({ property: 'urn', operator: 'contains_str', values: [String(random(10))] }),
    () => ({ property: 'schemaFields', operator: 'schema_fields_have_descriptions' }),
    () => ({
      forEach: 'columns',
      satisfies: { property: 'description', operator: 'exists' },
      quantifier: 'any',
    }),
  ];
  const predicate = (depth: number): JsonObject => {
    if (depth === 0 || random(3) > 0) return leaves[random(leaves.length)]?.() ?? {};
    const parts = Array.from({ length: 1 + random(3) }, () => predicate(depth - 1));
    return { [['and', 'or', 'not'][random(3)] ?? 'and']: parts };
  };
  return {
    ...(random(6) === 0 ? { siblings: 'merge' } : {}),
    on: {
      types: random(3) === 0 ? ['dataset'] : ['dataset', 'chart'],
      conditions: Array.from({ length: random(3) }, () => predicate(1)),
    },
    rules: Array.from({ length: random(4) }, (_, index) => ({
      id: `r${index}`,
      severity: random(5) === 0 ? 'warn' : 'error',
      ...predicate(2),
    })),
  };
}
