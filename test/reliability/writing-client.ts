import assert from 'node:assert/strict';
import type { JsonValue } from '../../src/aspect/json.ts';
import { schemaOf } from '../sample-metadata.ts';
import { listAt, textAt } from './answer-members.ts';
import { seededRandom } from './seeded-random.ts';
import { connect, datasetUrn, proposalOf, RefusedRequest, termUrn, type Client } from './server-process.ts';

/** Everything that a client wrote, as plain texts by what they are: what it must read again after any crash. */
type Facts = ReadonlyMap<string, string>;
type Write = { readonly changes: Facts; send(client: Client): Promise<unknown> };

/**
 * One of several clients that write at once, and its model of what is stored. It writes to datasets of its own, and its own
 * terms to one dataset that it shares with all the others.
 */
export type WritingClient = {
  readonly name: string;
  /** The datasets that every marker of this client is written to, in one request. */
  readonly parts: readonly string[];
  /** The requests that make what it works on. */
  prepare(client: Client): Promise<void>;
  /** Writes one thing after another until the server is gone; resolves with how many writes were acknowledged. */
  writeUntilGone(url: string): Promise<number>;
  /** Reads everything and holds it against the model. The one write that had no answer may be there, wholly or not at all. */
  compare(client: Client): Promise<void>;
};

export const sharedDataset = datasetUrn('load.shared');
const column = 'user_name';
const partCount = 4;
const termCount = 3;

export function createWritingClient(name: string): WritingClient {
  const random = seededRandom(`writing client ${name}`);
  const own = datasetUrn(`load.${name}`);
  const parts = Array.from({ length: partCount }, (_, index) => datasetUrn(`load.${name}_part_${index}`));
  const terms = Array.from({ length: termCount }, (_, index) => termUrn(`Load.${name}.${index}`));
  const model = new Map<string, string>();
  let unanswered: Facts = new Map();
  let turn = 0;

  const termsIn = (fact: string): string[] =>
    (model.get(fact) ?? '').split(' ').filter((term) => term !== '');
  const createdTerm = (index: number): string => `Load.${name}.created.${index}`;

  /** Adds the term when the dataset lacks it, else removes it. */
  function toggleTerm(fact: string, resourceUrn: string): Write {
    const term = terms[random.between(0, terms.length - 1)] ?? '';
    const before = termsIn(fact);
    const isThere = before.includes(term);
    const after = isThere ? before.filter((each) => each !== term) : [...before, term].sort();
    return {
      changes: new Map([[fact, after.join(' ')]]),
      send: (client) =>
        isThere
          ? client.graphql('mutation($input: TermAssociationInput!) { removeTerm(input: $input) }', {
              input: { termUrn: term, resourceUrn },
            })
          : client.graphql('mutation($input: AddTermsInput!) { addTerms(input: $input) }', {
              input: { termUrns: [term], resourceUrn },
            }),
    };
  }

  function describeColumn(): Write {
    const description = `column of ${name}, turn ${turn}\n- *${random.between(0, 1_000_000)}*`;
    return {
      changes: new Map([['column', description]]),
      send: (client) =>
        client.graphql('mutation($input: DescriptionUpdateInput!) { updateDescription(input: $input) }', {
          input: { description, resourceUrn: own, subResource: column, subResourceType: 'DATASET_FIELD' },
        }),
    };
  }

  function describeDataset(): Write {
    const description = `dataset of ${name}, turn ${turn}`;
    return {
      changes: new Map([['description', description]]),
      send: (client) =>
        client.graphql(
          'mutation($urn: String!, $input: DatasetUpdateInput!) { updateDataset(urn: $urn, input: $input) { urn } }',
          { urn: own, input: { editableProperties: { description } } },
        ),
    };
  }

  function markParts(): Write {
    const description = `${turn} ${'x'.repeat(random.between(0, 2_000))}`;
    return {
      changes: new Map(parts.map((_, index) => [`marker ${index}`, description])),
      send: (client) =>
        client.ingest(parts.map((urn) => proposalOf(urn, 'datasetProperties', { description }))),
    };
  }

  function termsToParts(): Write {
    const term = terms[random.between(0, terms.length - 1)] ?? '';
    const isThere = termsIn('part terms 0').includes(term);
    const operation = isThere ? 'batchRemoveTerms' : 'batchAddTerms';
    const type = isThere ? 'BatchRemoveTermsInput' : 'BatchAddTermsInput';
    const after = isThere
      ? termsIn('part terms 0').filter((each) => each !== term)
      : [...termsIn('part terms 0'), term].sort();
    return {
      changes: new Map(parts.map((_, index) => [`part terms ${index}`, after.join(' ')])),
      send: (client) =>
        client.graphql(`mutation($input: ${type}!) { ${operation}(input: $input) }`, {
          input: { termUrns: [term], resources: parts.map((resourceUrn) => ({ resourceUrn })) },
        }),
    };
  }

  function createTerm(): Write {
    const index = Number(model.get('created') ?? 0);
    return {
      changes: new Map([['created', String(index + 1)]]),
      send: (client) =>
        client.graphql('mutation($input: CreateGlossaryEntityInput!) { createGlossaryTerm(input: $input) }', {
          input: { id: createdTerm(index), name: createdTerm(index), description: 'made under load' },
        }),
    };
  }

  const kinds = [
    () => toggleTerm('own terms', own),
    () => toggleTerm('shared terms', sharedDataset),
    describeColumn,
    describeDataset,
    markParts,
    termsToParts,
    createTerm,
  ] as const;

  async function observe(client: Client): Promise<Facts> {
    const created = Number(model.get('created') ?? 0);
    const data = await client.graphql(
      `query($own: String!, $shared: String!, ${parts.map((_, index) => `$part${index}: String!`).join(', ')},
         $last: String!, $next: String!, $beyond: String!) {
         own: dataset(urn: $own) {
           ...terms editableProperties { description } schemaMetadata { fields { fieldPath description } }
         }
         shared: dataset(urn: $shared) { ...terms }
         ${parts.map((_, index) => `part${index}: dataset(urn: $part${index}) { ...terms properties { description } }`).join('\n')}
         last: entityExists(urn: $last) next: entityExists(urn: $next) beyond: entityExists(urn: $beyond)
       }
       fragment terms on Dataset { glossaryTerms { terms { term { urn } } } }`,
      {
        own,
        shared: sharedDataset,
        ...Object.fromEntries(parts.map((urn, index) => [`part${index}`, urn])),
        last: termUrn(created === 0 ? `Load.${name}.0` : createdTerm(created - 1)),
        next: termUrn(createdTerm(created)),
        beyond: termUrn(createdTerm(created + 1)),
      },
    );
    assert.equal(data['last'], true, 'the last term that was made is there');
    assert.equal(data['beyond'], false, 'no term is there that nobody made');
    const termsOf = (dataset: JsonValue | undefined): string =>
      listAt(dataset, 'glossaryTerms', 'terms')
        .map((each) => textAt(each, 'term', 'urn'))
        .filter((urn) => terms.includes(urn))
        .sort()
        .join(' ');
    const field = listAt(data['own'], 'schemaMetadata', 'fields').find(
      (each) => textAt(each, 'fieldPath') === column,
    );
    return new Map([
      ['own terms', termsOf(data['own'])],
      ['shared terms', termsOf(data['shared'])],
      ['column', textAt(field, 'description')],
      ['description', textAt(data['own'], 'editableProperties', 'description')],
      ...parts.map((_, index): [string, string] => [
        `marker ${index}`,
        textAt(data[`part${index}`], 'properties', 'description'),
      ]),
      ...parts.map((_, index): [string, string] => [`part terms ${index}`, termsOf(data[`part${index}`])]),
      ['created', String(created + (data['next'] === true ? 1 : 0))],
    ]);
  }

  return {
    name,
    parts,
    async prepare(client) {
      await client.ingest([
        proposalOf(sharedDataset, 'datasetProperties', { description: 'written by everybody' }),
        proposalOf(own, 'schemaMetadata', schemaOf([column, 'customer.id'])),
        ...parts.map((urn) => proposalOf(urn, 'datasetProperties', { description: '' })),
        ...terms.map((urn) =>
          proposalOf(urn, 'glossaryTermInfo', { name: urn, definition: '', termSource: 'INTERNAL' }),
        ),
      ]);
      for (const [fact, text] of await observe(client)) model.set(fact, text);
    },
    async writeUntilGone(url) {
      const client = connect(url);
      try {
        for (let acknowledged = 0; ; acknowledged += 1) {
          turn += 1;
          const write = random.pick(kinds)();
          unanswered = write.changes;
          try {
            await write.send(client);
          } catch (error) {
            if (error instanceof RefusedRequest) throw error;
            return acknowledged;
          }
          for (const [fact, text] of write.changes) model.set(fact, text);
          unanswered = new Map();
        }
      } finally {
        client.close();
      }
    },
    async compare(client) {
      const seen = Object.fromEntries(await observe(client));
      const withUnanswered = new Map([...model, ...unanswered]);
      const isThere = [...unanswered].some(([fact, text]) => seen[fact] === text && model.get(fact) !== text);
      assert.deepEqual(
        seen,
        Object.fromEntries(isThere ? withUnanswered : model),
        `what client ${name} wrote`,
      );
      for (const [fact, text] of isThere ? unanswered : []) model.set(fact, text);
      unanswered = new Map();
    },
  };
}
