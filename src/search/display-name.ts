import type { JsonObject } from '../aspect/json.ts';
import { keyBodyOf, requireEntityType } from '../entity/entity-registry.ts';
import { filledTextIn } from '../entity/stored-member.ts';
import type { AspectSource } from './aspect-source.ts';
import { type Urn, urnType } from '../urn/urn.ts';

/** Where the names of entities stand that facets are about: aspect and member, the first that says something counts. */
const nameMembers: { readonly [entityType: string]: readonly (readonly [string, string])[] } = {
  container: [['containerProperties', 'name']],
  corpGroup: [['corpGroupInfo', 'displayName']],
  corpuser: [
    ['corpUserEditableInfo', 'displayName'],
    ['corpUserInfo', 'displayName'],
    ['corpUserInfo', 'fullName'],
  ],
  dataPlatform: [
    ['dataPlatformInfo', 'displayName'],
    ['dataPlatformInfo', 'name'],
  ],
  dataPlatformInstance: [['dataPlatformInstanceProperties', 'name']],
  dataProduct: [['dataProductProperties', 'name']],
  dataset: [
    ['editableDatasetProperties', 'name'],
    ['datasetProperties', 'name'],
  ],
  domain: [['domainProperties', 'name']],
  glossaryNode: [['glossaryNodeInfo', 'name']],
  glossaryTerm: [['glossaryTermInfo', 'name']],
  ownershipType: [['ownershipTypeInfo', 'name']],
  structuredProperty: [
    ['propertyDefinition', 'displayName'],
    ['propertyDefinition', 'qualifiedName'],
  ],
  tag: [['tagProperties', 'name']],
  test: [['testInfo', 'name']],
};

/** What people call an entity: its name, or the last part of its key when it has none. The key has to fit the type. */
export async function displayNameOf(urn: Urn, source: Pick<AspectSource, 'load'>): Promise<string> {
  for (const [aspect, member] of nameMembers[urnType(urn)] ?? []) {
    const stored = await source.load(urn, aspect);
    const name = filledTextIn(stored?.body, member);
    if (name !== null) return name;
  }
  return idOf(urn);
}

function idOf(urn: Urn): string {
  const key: JsonObject = keyBodyOf(urn);
  const { keyFields } = requireEntityType(urnType(urn));
  const names = keyFields.map(({ name }) => key[name]).filter((value) => typeof value === 'string');
  return names.at(names.length > 1 ? 1 : 0) ?? urn;
}
