import type { Execute } from '../../src/command/command.ts';
import { systemCaller } from '../../src/auth/system-caller.ts';
import { ingestProposals } from '../../src/ingest/ingest-proposals.ts';
import { parseUrn, type Urn } from '../../src/urn/urn.ts';

/** The datasets that one batch writes one marker to; after every fault all of them say the same (promise R04). */
export const markedDatasets: readonly Urn[] = Array.from({ length: 8 }, (_, index) =>
  parseUrn(`urn:li:dataset:(urn:li:dataPlatform:hive,marked.dataset_${index},PROD)`),
);

/** A text of uneven length, so that rows and pages move about; its first word is the marker. */
export function markerText(marker: number): string {
  return `${marker} ${'x'.repeat((marker * 137) % 3_000)}`;
}

export function markerOf(text: string): number {
  return Number(text.slice(0, text.indexOf(' ')));
}

/** Writes one marker to all the datasets, in one command. */
export async function writeMarkers(execute: Execute, marker: number): Promise<void> {
  const proposals = markedDatasets.map((urn) => ({
    urn,
    aspect: 'datasetProperties',
    changeType: 'UPSERT' as const,
    body: { description: markerText(marker) },
  }));
  await execute(ingestProposals, proposals, systemCaller);
}
