import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReadModel } from '../../test/read-model.ts';

const chart = 'urn:li:chart:(looker,a)';

test('an attached term is read with how it came to be attached', async () => {
  await using model = await openReadModel();
  const stamp = { time: 5, actor: 'urn:li:corpuser:ana' };
  await model.seed(chart, {
    glossaryTerms: {
      terms: [
        {
          urn: 'urn:li:glossaryTerm:a',
          attribution: { ...stamp, source: 'urn:li:test:t', sourceDetail: { why: 'so' } },
        },
        { urn: 'urn:li:glossaryTerm:b', actor: stamp.actor },
      ],
      auditStamp: stamp,
    },
  });
  const { data, errors } = await model.ask(
    `{ chart(urn: "${chart}") { glossaryTerms { terms { term { urn } actor { urn } associatedUrn
       attribution { time actor { urn } source { urn } sourceDetail { key value } } } } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data?.['chart'], {
    glossaryTerms: {
      terms: [
        {
          term: { urn: 'urn:li:glossaryTerm:a' },
          actor: null,
          associatedUrn: chart,
          attribution: {
            time: 5,
            actor: { urn: stamp.actor },
            source: { urn: 'urn:li:test:t' },
            sourceDetail: [{ key: 'why', value: 'so' }],
          },
        },
        {
          term: { urn: 'urn:li:glossaryTerm:b' },
          actor: { urn: stamp.actor },
          associatedUrn: chart,
          attribution: null,
        },
      ],
    },
  });
});
