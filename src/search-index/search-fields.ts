import { entityTypes } from '../entity/entity-registry.ts';

export type SearchFieldKind = 'urn' | 'text' | 'number' | 'time' | 'boolean';

/** By which terms of `search-terms.ts` a value of a field is found. */
export type FieldTerms =
  /** As a name: its words, the words as words of a name, the whole name. */
  | 'name'
  | 'words'
  /** The words of the last part of the key of a URN: `pii`, `shop.orders`. */
  | 'wordsOfId'
  /** The column path without what version 2 says about types, as words. */
  | 'wordsOfPath'
  /** `valueTerm` of the field and the value as it is written. */
  | 'exact';

export type SearchField = {
  /** As entries, filters and facets name it. */
  readonly name: string;
  /** For people, over a facet. */
  readonly displayName: string;
  /** `time`: milliseconds since the Unix epoch. Values are texts in any case; booleans are `true` and `false`. */
  readonly kind: SearchFieldKind;
  /**
   * `column`: few distinct values or often asked for, worth keeping in memory; `entry`: read from the entries; `verdicts`: the
   * engine of metadata tests keeps it, and entries never have it.
   */
  readonly kept: 'column' | 'entry' | 'verdicts';
  readonly terms: readonly FieldTerms[];
  /** Counted when nobody says which facets are wanted. */
  readonly isDefaultFacet: boolean;
  /** The value of an entity whose entries say nothing. */
  readonly absent?: string;
  /** Only entities of these types have it; without them, all. */
  readonly absentTypes?: ReadonlySet<string>;
  /** An entity without a value is sorted, filtered and shown by the values of this field. */
  readonly orElse?: string;
  /** Some of its values may be numbers: they come in their order, before what is none. */
  readonly mayBeNumbers?: true;
  /** A filter on the field matches values of these fields as well, as DataHub's filters do; its facet does not count them. */
  readonly alsoFilters?: readonly string[];
  /** Of a combined facet: the fields whose values are counted together, written with `combinedSeparator` between them. */
  readonly parts?: readonly string[];
};

/** Between the values of a combined facet, and before each step of `browsePathV2`. */
export const combinedSeparator = '\u241f';

type Traits = Partial<Omit<SearchField, 'name' | 'displayName' | 'kind'>>;

/** The folder of what nobody put into one, as in DataHub (wire 5.2); it is stored nowhere (decision 23). */
export const folderWithoutPath = 'Default';

/** Where what has no `browsePathsV2` is found in folders: entities of the types that could have one. */
const withoutPath: Traits = {
  absent: combinedSeparator + folderWithoutPath,
  absentTypes: new Set(
    entityTypes()
      .filter(({ aspects }) => aspects.has('browsePathsV2'))
      .map(({ name }) => name),
  ),
};

const inMemory: Traits = { kept: 'column' };
const defaultFacet: Traits = { kept: 'column', isDefaultFacet: true };
const flag: Traits = { kept: 'column', absent: 'false' };

/** In the order in which default facets are shown. */
const fields: readonly SearchField[] = [
  field('_entityType\u241ftypeNames', 'Type', 'text', {
    ...defaultFacet,
    parts: ['_entityType', 'typeNames'],
  }),
  field('_entityType', 'Type', 'text', defaultFacet),
  field('typeNames', 'Sub Type', 'text', { ...defaultFacet, terms: ['words'] }),
  field('platform', 'Platform', 'urn', { ...defaultFacet, terms: ['wordsOfId'] }),
  field('platformInstance', 'Platform Instance', 'urn', { ...defaultFacet, terms: ['wordsOfId'] }),
  field('origin', 'Environment', 'text', { ...defaultFacet, terms: ['words'] }),
  field('owners', 'Owned By', 'urn', { ...defaultFacet, terms: ['wordsOfId'] }),
  field('tags', 'Tag', 'urn', {
    ...defaultFacet,
    terms: ['wordsOfId'],
    alsoFilters: ['fieldTags', 'editedFieldTags'],
  }),
  field('glossaryTerms', 'Glossary Term', 'urn', {
    ...defaultFacet,
    terms: ['wordsOfId'],
    alsoFilters: ['fieldGlossaryTerms', 'editedFieldGlossaryTerms'],
  }),
  field('domains', 'Domain', 'urn', { ...defaultFacet, terms: ['wordsOfId'] }),
  field('container', 'Container', 'urn', defaultFacet),
  field('fieldTags', 'Column Tag', 'urn', {
    ...defaultFacet,
    terms: ['wordsOfId'],
    alsoFilters: ['editedFieldTags'],
  }),
  field('fieldGlossaryTerms', 'Column Glossary Term', 'urn', {
    ...defaultFacet,
    terms: ['wordsOfId'],
    alsoFilters: ['editedFieldGlossaryTerms'],
  }),
  field('editedFieldTags', 'Edited Column Tag', 'urn', { ...inMemory, terms: ['wordsOfId'] }),
  field('editedFieldGlossaryTerms', 'Edited Column Glossary Term', 'urn', {
    ...inMemory,
    terms: ['wordsOfId'],
  }),
  field('ownershipTypes', 'Ownership Type', 'urn', inMemory),
  field('browsePathV2', 'Browse Path', 'text', { ...inMemory, ...withoutPath }),
  field('parentNode', 'Glossary Node', 'urn', inMemory),
  field('parentDomain', 'Parent Domain', 'urn', inMemory),
  field('type', 'Kind', 'text', inMemory),
  field('state', 'State', 'text', inMemory),
  field('category', 'Category', 'text', { ...inMemory, terms: ['words'] }),
  field('source', 'Source', 'text', inMemory),
  field('orchestrator', 'Orchestrator', 'text', { ...inMemory, terms: ['words'] }),
  field('cluster', 'Cluster', 'text', { ...inMemory, terms: ['words'] }),
  field('tool', 'Tool', 'text', { ...inMemory, terms: ['words'] }),
  field('materialized', 'Materialized', 'boolean', inMemory),
  field('active', 'Active', 'boolean', inMemory),
  field('removed', 'Soft Deleted', 'boolean', { ...flag, terms: ['exact'] }),
  field('deprecated', 'Deprecated', 'boolean', flag),
  field('hasDescription', 'Has Description', 'boolean', flag),
  field('hasTags', 'Has Tags', 'boolean', flag),
  field('hasGlossaryTerms', 'Has Glossary Terms', 'boolean', flag),
  field('hasOwners', 'Has Owners', 'boolean', flag),
  field('hasDomain', 'Has Domain', 'boolean', flag),
  field('hasContainer', 'Has Container', 'boolean', flag),
  field('hasUpstreams', 'Has Upstreams', 'boolean', flag),
  field('hasParentNode', 'Has Glossary Node', 'boolean', flag),
  field('hasParentDomain', 'Has Parent Domain', 'boolean', flag),
  field('isHidden', 'Hidden', 'boolean', flag),
  field('showInSearchFilters', 'Shown In Search Filters', 'boolean', flag),
  field('showInAssetSummary', 'Shown In Asset Summary', 'boolean', flag),
  field('showAsAssetBadge', 'Shown As Asset Badge', 'boolean', flag),
  field('showInColumnsTable', 'Shown In Columns Table', 'boolean', flag),
  field('name', 'Name', 'text', { terms: ['name', 'exact'], orElse: 'id' }),
  field('id', 'Id', 'text', { terms: ['name', 'exact'] }),
  field('urn', 'URN', 'urn'),
  field('editedName', 'Edited Name', 'text', { terms: ['name', 'exact'] }),
  field('qualifiedName', 'Qualified Name', 'text', { terms: ['words', 'exact'] }),
  field('description', 'Description', 'text', { terms: ['words'], alsoFilters: ['editedDescription'] }),
  field('editedDescription', 'Edited Description', 'text', { terms: ['words'] }),
  field('definition', 'Definition', 'text', { terms: ['words'] }),
  field('documentation', 'Documentation', 'text', { terms: ['words'] }),
  field('fieldPaths', 'Column', 'text', { terms: ['wordsOfPath'] }),
  field('fieldLabels', 'Column Label', 'text', { terms: ['words'] }),
  field('fieldDescriptions', 'Column Description', 'text', {
    terms: ['words'],
    alsoFilters: ['editedFieldDescriptions'],
  }),
  field('editedFieldDescriptions', 'Edited Column Description', 'text', { terms: ['words'] }),
  field('customProperties', 'Custom Property', 'text', { terms: ['words', 'exact'] }),
  field('links', 'Link', 'text', { terms: ['words'] }),
  field('linkDescriptions', 'Link Description', 'text', { terms: ['words'] }),
  field('createdAt', 'Created At', 'time'),
  field('lastModifiedAt', 'Last Modified At', 'time'),
  field('lastOperationTime', 'Last Operation', 'time'),
  field('rowCount', 'Row Count', 'number'),
  field('columnCount', 'Column Count', 'number'),
  field('sizeInBytes', 'Size In Bytes', 'number'),
  field('upstreams', 'Upstream', 'urn', { terms: ['exact'] }),
  field('inputs', 'Input', 'urn', { terms: ['exact'] }),
  field('outputs', 'Output', 'urn', { terms: ['exact'] }),
  field('siblings', 'Sibling', 'urn', { terms: ['exact'] }),
  field('dataFlow', 'Data Flow', 'urn', { terms: ['exact', 'wordsOfId'] }),
  field('parent', 'Parent', 'urn', { terms: ['exact'] }),
  field('entities', 'Entity', 'urn', { terms: ['exact'] }),
  field('entityTypes', 'Entity Type', 'urn', { terms: ['exact'] }),
  field('valueType', 'Value Type', 'urn', { terms: ['exact'] }),
  field('statement', 'Statement', 'text', { terms: ['words'] }),
  field('project', 'Project', 'text', { terms: ['words'] }),
  field('email', 'Email', 'text', { terms: ['words', 'exact'] }),
  field('title', 'Title', 'text', { terms: ['words', 'exact'] }),
  field('teams', 'Team', 'text', { terms: ['words'] }),
  field('skills', 'Skill', 'text', { terms: ['words'] }),
  field('passingTests', 'Passing Test', 'urn', { kept: 'verdicts' }),
  field('failingTests', 'Failing Test', 'urn', { kept: 'verdicts' }),
];

const fieldsByName: ReadonlyMap<string, SearchField> = new Map(fields.map((one) => [one.name, one]));

/** Other names by which clients know fields. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['env', 'origin'],
  ['entity', '_entityType'],
  ['entityType', '_entityType'],
  ['_entityName', 'name'],
  ['displayName', 'name'],
  ['fullName', 'name'],
  ['ldap', 'id'],
  ['username', 'id'],
  ['guid', 'id'],
  ['chartId', 'id'],
  ['dashboardId', 'id'],
  ['flowId', 'id'],
  ['jobId', 'id'],
  ['tag', 'tags'],
  ['glossaryTerm', 'glossaryTerms'],
  ['owner', 'owners'],
  ['domain', 'domains'],
  ['hasDomains', 'hasDomain'],
  ['subTypes', 'typeNames'],
  ['created', 'createdAt'],
  ['createdTime', 'createdAt'],
  ['lastModified', 'lastModifiedAt'],
  ['inputDatasets', 'inputs'],
  ['inputDatasetEdges', 'inputs'],
  ['outputDatasets', 'outputs'],
  ['outputDatasetEdges', 'outputs'],
]);

const keywordSuffix = '.keyword';
const structuredPropertyPrefix = 'structuredProperties.';
const structuredPropertyUrnPrefix = 'urn:li:structuredProperty:';

/** What an entity of a type has in a field that none of its entries fills; `undefined`: nothing. */
export function absentValue({ absent, absentTypes }: SearchField, type: string): string | undefined {
  return absentTypes === undefined || absentTypes.has(type) ? absent : undefined;
}

/** All fields that have a fixed name, default facets first and in their order. */
export function searchFields(): readonly SearchField[] {
  return fields;
}

/** Other names of fields by the name that a client may send. */
export function searchFieldAliases(): ReadonlyMap<string, string> {
  return aliases;
}

/**
 * The field that a client means (wire 8.6): by its name or an alias, with or without `.keyword`, or a structured property as
 * `structuredProperties.` and its qualified name or URN; `undefined` when there is no such field.
 */
export function searchFieldNamed(asked: string): SearchField | undefined {
  const name = asked.endsWith(keywordSuffix) ? asked.slice(0, -keywordSuffix.length) : asked;
  if (name.startsWith(structuredPropertyPrefix)) {
    return structuredPropertyField(name.slice(structuredPropertyPrefix.length));
  }
  return fieldsByName.get(aliases.get(name) ?? name);
}

function structuredPropertyField(property: string): SearchField | undefined {
  const id = property.startsWith(structuredPropertyUrnPrefix)
    ? property.slice(structuredPropertyUrnPrefix.length)
    : property;
  if (id === '') return undefined;
  return field(structuredPropertyPrefix + id, id, 'text', { terms: ['words', 'exact'], mayBeNumbers: true });
}

function field(name: string, displayName: string, kind: SearchFieldKind, traits: Traits = {}): SearchField {
  return { name, displayName, kind, kept: 'entry', terms: [], isDefaultFacet: false, ...traits };
}
