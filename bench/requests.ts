import {
  addableTerms,
  attachedTerms,
  datasetAspects,
  datasetUrn,
  randomNumbers,
  sentence,
  termUrn,
} from './sample-datasets.ts';

/** Which requests a load consists of; the load client makes their bytes from this description. */
export type RequestSource =
  | {
      readonly kind: 'dataset-query';
      /** How the URN is sent: beside the document, or inside it, so that every document has a text of its own. */
      readonly form: 'variables' | 'inline';
      /** Datasets are drawn at random from the first so many. */
      readonly datasets: number;
    }
  | { readonly kind: 'add-terms'; readonly datasets: number }
  | { readonly kind: 'evaluate'; readonly datasets: number }
  | { readonly kind: 'ingest-batch'; readonly aspects: number };

const selection =
  '{ glossaryTerms { terms { term { urn glossaryTermInfo { name description } } } } ' +
  'properties { description } schemaMetadata { fields { fieldPath description } } }';
const queryWithVariables = `query dataset($urn: String!) { dataset(urn: $urn) ${selection} }`;
const mutation = 'mutation addTerms($input: AddTermsInput!) { addTerms(input: $input) }';

/** Random datasets repeat after so many requests; prepared ahead, so that making them costs nothing while measuring. */
const preparedQueriesMax = 100_000;

/** The body of the specification's query for one dataset, in either form. */
export function datasetQuery(number: number, form: 'variables' | 'inline'): string {
  const urn = datasetUrn(number);
  return form === 'variables'
    ? JSON.stringify({ query: queryWithVariables, variables: { urn } })
    : JSON.stringify({ query: `{ dataset(urn: "${urn}") ${selection} }`, variables: {} });
}

/** `addTerms` number `index`: each goes to another dataset until all had one, then each gets another term. */
export function addTermsMutation(index: number, datasets: number): string {
  const term = attachedTerms + (Math.floor(index / datasets) % addableTerms);
  // 7919 is prime, so this visits every dataset once per round, far from the one before.
  const dataset = (index * 7_919) % datasets;
  const input = { termUrns: [termUrn(term)], resourceUrn: datasetUrn(dataset) };
  return JSON.stringify({ query: mutation, variables: { input } });
}

/** `removeTerm` of what `addTermsMutation` with the same number added. */
export function removeTermMutation(index: number, datasets: number): string {
  const term = attachedTerms + (Math.floor(index / datasets) % addableTerms);
  const input = { termUrn: termUrn(term), resourceUrn: datasetUrn((index * 7_919) % datasets) };
  return JSON.stringify({
    query: 'mutation removeTerm($input: TermAssociationInput!) { removeTerm(input: $input) }',
    variables: { input },
  });
}

export const evaluatePath = '/gms/test?action=evaluate';

/** Asks for the verdicts of all tests that apply to one dataset; nothing is stored. */
export function evaluateRequest(number: number): string {
  return JSON.stringify({ urn: datasetUrn(number), shouldPush: false });
}

/** New datasets with four aspects of about 1 kB each, as `ingestProposalBatch` takes them; `aspects` is a multiple of 4. */
export function ingestBatch(index: number, aspects: number): string {
  const proposals: unknown[] = [];
  const perBatch = aspects / 4;
  for (let number = index * perBatch; number < (index + 1) * perBatch; number += 1) {
    const entityUrn = datasetUrn(number);
    for (const [aspectName, body] of Object.entries(kilobyteAspects(number))) {
      proposals.push({
        entityType: 'dataset',
        entityUrn,
        changeType: 'UPSERT',
        aspectName,
        aspect: { value: JSON.stringify(body), contentType: 'application/json' },
      });
    }
  }
  return JSON.stringify({ proposals });
}

/** Descriptions, columns, links and owners: columns make a fragment, links and owners make relationships. */
export function kilobyteAspects(number: number): Readonly<Record<string, unknown>> {
  const random = randomNumbers(number);
  const { schemaMetadata } = datasetAspects(number, 4);
  const stamp = { time: 1_790_000_000_000, actor: 'urn:li:corpuser:etl' };
  return {
    datasetProperties: { name: `t${number}`, description: sentence(random, 150), customProperties: {} },
    schemaMetadata,
    institutionalMemory: {
      elements: Array.from({ length: 4 }, (_, index) => ({
        url: `https://wiki.example.com/datasets/${number}/${index}`,
        description: sentence(random, 16),
        createStamp: stamp,
      })),
    },
    ownership: {
      owners: Array.from({ length: 14 }, (_, index) => ({
        owner: `urn:li:corpuser:user${Math.floor(random() * 70) * 14 + index}`,
        type: 'TECHNICAL_OWNER',
      })),
      lastModified: stamp,
    },
  };
}

/** Gives the bytes of request number `index`; whatever can be made ahead is. */
export type Requests = (index: number) => Buffer;

/** Prepares the requests `first` to `first + count` of a source, as they go over the wire. */
export function prepareRequests(
  source: RequestSource,
  wire: (body: string) => Buffer,
  first: number,
  count: number,
): Requests {
  switch (source.kind) {
    case 'dataset-query': {
      const random = randomNumbers(first + 1);
      const isSmall = source.datasets <= preparedQueriesMax / 50;
      const length = isSmall ? source.datasets : preparedQueriesMax;
      const prepared = Array.from({ length }, (_, index) =>
        wire(datasetQuery(isSmall ? index : Math.floor(random() * source.datasets), source.form)),
      );
      return (index) => itemOf(prepared, index % length);
    }
    case 'evaluate': {
      const random = randomNumbers(first + 1);
      return () => wire(evaluateRequest(Math.floor(random() * source.datasets)));
    }
    case 'add-terms':
      return (index) => wire(addTermsMutation(first + index, source.datasets));
    case 'ingest-batch': {
      const prepared = Array.from({ length: count }, (_, index) =>
        wire(ingestBatch(first + index, source.aspects)),
      );
      return (index) => itemOf(prepared, index);
    }
  }
}

function itemOf(items: readonly Buffer[], index: number): Buffer {
  const item = items[index];
  if (item === undefined) throw new Error(`Request ${index} was not prepared`);
  return item;
}
