import assert from 'node:assert/strict';
import type { TestCatalogue } from '../../test/catalogue.ts';
import type { Caller } from '../auth/caller.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn } from '../urn/urn.ts';
import { ingestProposals } from './ingest-proposals.ts';
import { parseProposal } from './proposal.ts';
import type { Proposal } from './proposal.ts';

export const orders = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)');

export function proposal(changes: Partial<Proposal> = {}): Proposal {
  return {
    urn: orders,
    aspect: 'datasetProperties',
    changeType: 'UPSERT',
    body: { description: 'a' },
    ...changes,
  };
}

export const event = (rowCount: number): Proposal =>
  proposal({ aspect: 'datasetProfile', body: { timestampMillis: rowCount, rowCount } });

export const model = parseUrn('urn:li:mlModel:(urn:li:dataPlatform:science,churn,PROD)');

/** An aspect that nothing interprets, as a client sends it. */
export function sent(value: string): Proposal {
  return parseProposal({
    entityUrn: model,
    entityType: 'mlModel',
    aspectName: 'cost',
    changeType: 'UPSERT',
    aspect: { value, contentType: 'application/json' },
  });
}

export const described = (description: string, changes: Partial<Proposal> = {}): Proposal =>
  proposal({ body: { description }, ...changes });

export function ingest(
  catalogue: TestCatalogue,
  proposals: readonly Proposal[],
  caller?: Caller,
): Promise<number> {
  return catalogue.execute(ingestProposals, proposals, caller);
}

export async function description(catalogue: TestCatalogue): Promise<unknown> {
  return (await catalogue.body(orders, 'datasetProperties'))?.['description'];
}

export async function version(
  catalogue: TestCatalogue,
  aspect = 'datasetProperties',
): Promise<number | undefined> {
  const urn = aspect === 'cost' ? model : orders;
  return (await catalogue.store.read(urn, [aspect])).get(aspect)?.version;
}

export async function refusedUnchanged(
  catalogue: TestCatalogue,
  work: () => Promise<unknown>,
  code: string,
  ...words: string[]
): Promise<void> {
  const before = await catalogue.lastSequence();
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof PostilError, String(error));
    assert.equal(error.code, code, error.message);
    for (const word of words) assert.ok(error.message.includes(word), error.message);
    return true;
  });
  assert.equal(await catalogue.lastSequence(), before);
}
