import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { searchFieldAliases, searchFieldNamed, searchFields } from './search-fields.ts';
import type { SearchField } from './search-fields.ts';
import { keySearchSources, searchSources } from './search-sources.ts';

/** Fields that clients filter on (wire 8.6). */
const namedByClients =
  'platform id origin env name qualifiedName description hasDescription editedDescription editedName customProperties createdAt ' +
  'lastModifiedAt fieldPaths fieldDescriptions fieldTags fieldGlossaryTerms editedFieldDescriptions editedFieldTags ' +
  'editedFieldGlossaryTerms glossaryTerms hasGlossaryTerms tags hasTags owners hasOwners domains hasDomain deprecated removed ' +
  'typeNames platformInstance container hasContainer browsePathV2 upstreams hasUpstreams failingTests passingTests definition ' +
  'parentNode displayName email rowCount columnCount sizeInBytes lastOperationTime materialized urn _entityType ' +
  'structuredProperties.io.shop.retention hasParentNode _entityType\u241ftypeNames _entityName created';

function fieldOf(name: string): SearchField {
  const field = searchFieldNamed(name);
  assert.ok(field !== undefined, name);
  return field;
}

test('every field that clients filter on is known, with and without .keyword', () => {
  for (const name of namedByClients.split(' ')) {
    assert.equal(fieldOf(`${name}.keyword`).name, fieldOf(name).name);
  }
});

test('other names lead to fields, and what is no field leads nowhere', () => {
  for (const [alias, name] of searchFieldAliases()) {
    assert.equal(fieldOf(alias).name, name);
    assert.equal(
      searchFields().some((field) => field.name === alias),
      false,
      alias,
    );
  }
  for (const name of [
    '',
    'nothing',
    'Platform',
    'structuredProperties',
    'structuredProperties.',
    'constructor',
  ]) {
    assert.equal(searchFieldNamed(name), undefined, name);
  }
});

test('a structured property is a field by its qualified name or its URN', () => {
  const name = 'structuredProperties.io.shop.retention';
  assert.equal(fieldOf(name).name, name);
  assert.equal(fieldOf('structuredProperties.urn:li:structuredProperty:io.shop.retention').name, name);
});

test('each field occurs once, and those that a field names exist', () => {
  const names = searchFields().map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, parts = [], alsoFilters = [], orElse = name } of searchFields()) {
    for (const other of [...parts, ...alsoFilters, orElse])
      assert.ok(names.includes(other), `${name}: ${other}`);
  }
});

test('every field is filled by some aspect, by the URN or by metadata tests', () => {
  const filled = new Set(
    [...keySearchSources(), ...[...searchSources().values()].flat()].flatMap(({ fields }) => fields),
  );
  const elsewhere = new Set(['_entityType', 'urn', 'browsePathV2', 'customProperties']);
  for (const { name, parts, kept } of searchFields()) {
    if (parts !== undefined || kept === 'verdicts' || elsewhere.has(name) || name.startsWith('has')) continue;
    assert.ok(filled.has(name), name);
  }
});

test('the reference lists exactly the fields that there are', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/reference/search-fields.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  assert.deepEqual(rows, searchFields().map(rowOf));
});

/** A row of the reference. */
function rowOf(field: SearchField): string {
  const { name, displayName, kind, isDefaultFacet, alsoFilters = [] } = field;
  const others = [...searchFieldAliases()].filter(([, target]) => target === name).map(([alias]) => alias);
  const notes = [
    ...(isDefaultFacet ? ['default facet'] : []),
    ...(others.length > 0 ? [`also ${others.map(quoted).join(', ')}`] : []),
    ...(alsoFilters.length > 0 ? [`a filter includes ${alsoFilters.map(quoted).join(', ')}`] : []),
    ...(field.orElse === undefined ? [] : [`without one, ${quoted(field.orElse)}`]),
    ...(field.absent === undefined ? [] : [`otherwise ${quoted(field.absent)}`]),
    ...(field.kept === 'verdicts' ? ['kept by metadata tests'] : []),
  ];
  const aspects = [...searchSources()]
    .filter(([, sources]) => sources.some(({ fields }) => fields.includes(name)))
    .map(([aspect]) => quoted(aspect));
  const isOfKey = keySearchSources().some(({ fields }) => fields.includes(name));
  const from = [...(isOfKey ? ['the key'] : []), ...aspects].join(', ');
  return `| ${[quoted(name), displayName, kind, from, notes.join('; ')].join(' | ')} |`;
}

function quoted(name: string): string {
  return `\`${name}\``;
}
