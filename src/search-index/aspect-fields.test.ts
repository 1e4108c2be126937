import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '../aspect/json.ts';
import { entityTypes } from '../entity/entity-registry.ts';
import { parseUrn } from '../urn/urn.ts';
import { fieldsOfAspect } from './aspect-fields.ts';
import { searchEntryOf } from './search-entry-of.ts';
import { searchSources } from './search-sources.ts';

/** Both a text and a URN, so that every kind of field takes it. */
const value = 'urn:li:tag:value';
const custom: JsonObject = { customProperties: { key: 'value' } };

/** A body with the value at the end of the path, as far as another path has not put something there. */
function withPath(body: JsonObject, path: string): JsonObject {
  const [first = '', ...rest] = path.replaceAll('[]', '.[]').split('.');
  return { ...body, [first]: grown(body[first], rest) };
}

function grown(before: JsonValue | undefined, steps: readonly string[]): JsonValue {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step === '[]') {
    const own = Array.isArray(before) ? before : [];
    return [...own, grown(undefined, rest)];
  }
  const own: JsonObject = isJsonObject(before) ? before : {};
  return { ...own, [step]: grown(own[step], rest) };
}

describe('the fields that an aspect may have', () => {
  test('are all that entries of it have when everything is said that can be found, and no others', () => {
    for (const [aspect, sources] of searchSources()) {
      const types = entityTypes().filter(({ aspects }) => aspects.has(aspect));
      const found = new Set<string>();
      // A path may lead to a text or further into a record, so each is tried by itself as well.
      const paths = sources.map(({ path }) => path);
      for (const some of [paths, ...paths.map((path) => [path])]) {
        const body = some.reduce(withPath, custom);
        for (const { name } of types) {
          const entry = searchEntryOf(parseUrn(`urn:li:${name}:x`), aspect, body);
          for (const field of Object.keys(entry?.fields ?? {})) found.add(field);
        }
      }
      if (found.size === 0) continue;
      assert.deepEqual([...found].toSorted(), [...(fieldsOfAspect(aspect) ?? [])].toSorted(), aspect);
    }
  });

  test('are not known of keys and of what users define', () => {
    for (const aspect of ['datasetKey', 'structuredProperties', 'browsePathsV2']) {
      assert.equal(fieldsOfAspect(aspect), undefined, aspect);
    }
  });
});
