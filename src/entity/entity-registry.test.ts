import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { PostilError } from '../errors/postil-error.ts';
import { isUrn, parseUrn } from '../urn/urn.ts';
import {
  aspectOfClassName,
  aspectSpecOf,
  entityTypeOf,
  entityTypes,
  environments,
  keyBodyOf,
  requireAspect,
  requireEntityType,
  urnFromKey,
} from './entity-registry.ts';

function refused(code: string, ...words: string[]) {
  return (error: unknown): boolean =>
    error instanceof PostilError &&
    error.code === code &&
    words.every((word) => error.message.includes(word));
}

test('the registry knows 71 entity types and, besides the keys, 184 aspects of DataHub and one of ours', () => {
  const aspects = new Set(entityTypes().flatMap((type) => [...type.aspects]));
  const keys = new Set(entityTypes().map((type) => type.keyAspect));
  assert.equal(entityTypes().length, 71);
  assert.equal(keys.size, 71);
  assert.equal(aspects.size - keys.size, 184 + 1);
});

test('every aspect of every type has a class, and its class leads back to it', () => {
  for (const type of entityTypes()) {
    for (const aspect of type.aspects) {
      const spec = requireAspect(type.name, aspect);
      assert.equal(aspectOfClassName(spec.className), aspect);
      assert.equal(aspectOfClassName(spec.className.replace('linkedin', 'linkedin.pegasus2avro')), aspect);
    }
  }
  assert.equal(aspectOfClassName('com.linkedin.dataset.Nothing'), undefined);
});

test('classes, versions and timeseries are those of DataHub', () => {
  assert.deepEqual(aspectSpecOf('datasetProperties'), {
    name: 'datasetProperties',
    className: 'com.linkedin.dataset.DatasetProperties',
    isTimeseries: false,
    schemaVersion: 1,
  });
  assert.equal(aspectSpecOf('datasetKey')?.className, 'com.linkedin.metadata.key.DatasetKey');
  assert.equal(aspectSpecOf('corpuserKey'), undefined);
  assert.equal(aspectSpecOf('datasetProfile')?.isTimeseries, true);
  assert.equal(aspectSpecOf('upstreamLineage')?.schemaVersion, 2);
  assert.equal(
    aspectSpecOf('propertyDefinition')?.className,
    'com.linkedin.structured.StructuredPropertyDefinition',
  );
});

test('unknown types and aspects are refused with the nearest name', () => {
  assert.equal(entityTypeOf('constructor'), undefined);
  assert.throws(
    () => requireEntityType('corpUser'),
    refused('UNKNOWN_ENTITY_TYPE', '"corpUser"', '"corpuser"'),
  );
  assert.throws(() => requireEntityType('FOOBAR'), refused('UNKNOWN_ENTITY_TYPE', '"FOOBAR"'));
  assert.throws(() => requireAspect('dataset', 'glosaryTerms'), refused('UNKNOWN_ASPECT', '"glossaryTerms"'));
  assert.throws(() => requireAspect('tag', 'schemaMetadata'), refused('UNKNOWN_ASPECT', 'type tag'));
});

test('the key body holds the parts of the urn, percent-decoded', () => {
  assert.deepEqual(keyBodyOf(parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,a%2Cb%28c%29,PROD)')), {
    platform: 'urn:li:dataPlatform:hive',
    name: 'a,b(c)',
    origin: 'PROD',
  });
  assert.deepEqual(keyBodyOf(parseUrn('urn:li:glossaryTerm:50% off')), { name: '50% off' });
  assert.deepEqual(keyBodyOf(parseUrn('urn:li:corpuser:ana')), { username: 'ana' });
  const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,a%2Cb,PROD)';
  assert.deepEqual(keyBodyOf(parseUrn(`urn:li:schemaField:(${dataset},x.y)`)), {
    parent: dataset,
    fieldPath: 'x.y',
  });
});

test('a urn whose parts do not fit its type is refused', () => {
  const misfits = [
    'urn:li:dataset:shop',
    'urn:li:dataset:(hive,shop,PROD)',
    'urn:li:dataset:(urn:li:tag:hive,shop,PROD)',
    'urn:li:dataset:(urn:li:dataPlatform:hive,shop)',
    'urn:li:dataset:(urn:li:dataPlatform:hive,,PROD)',
    'urn:li:dataset:(urn:li:dataPlatform:hive,shop,PRODUCTION)',
    'urn:li:dataset:(urn:li:dataPlatform:hive,shop,prod)',
    'urn:li:schemaField:(a,b)',
    'urn:li:chart:(looker,1,2)',
  ];
  for (const text of misfits) assert.throws(() => keyBodyOf(parseUrn(text)), refused('INVALID_URN', text));
  assert.throws(() => keyBodyOf(parseUrn('urn:li:FOOBAR:x')), refused('UNKNOWN_ENTITY_TYPE', 'FOOBAR'));
  assert.throws(() => urnFromKey('tag', {}), refused('INVALID_URN', '"name"'));
});

test('the urn made from a key has that key', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc
      .array(fc.constantFrom('a', ',', '(', ')', '%', '%2C', '%25', ' ', '/'), { minLength: 1 })
      .map((all) => all.join('')),
  );
  const usable = text.filter((value) => isUrn(`urn:li:tag:a${value}`));
  fc.assert(
    fc.property(usable, fc.constantFrom(...environments), (name, origin) => {
      const key = { platform: 'urn:li:dataPlatform:hive', name, origin };
      assert.deepEqual(keyBodyOf(urnFromKey('dataset', key)), key);
      if (name.startsWith('(')) return;
      assert.deepEqual(keyBodyOf(urnFromKey('tag', { name })), { name });
    }),
    { numRuns: 500 },
  );
});
