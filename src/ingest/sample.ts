import { fileURLToPath } from 'node:url';
import { systemCaller } from '../auth/system-caller.ts';
import type { Execute } from '../command/command.ts';
import { PostilError } from '../errors/postil-error.ts';
import { ingestRecords, type IngestSummary } from './ingest-run.ts';
import { openRecordFile } from './record-file.ts';
import { readSourceRecords } from './record-source.ts';
import { createStoreSink } from './store-sink.ts';

const sampleFile = fileURLToPath(new URL('../../sample/bookshop.json', import.meta.url));

/** Loads the project's own small catalogue of a bookshop, so that a new store has something to look at. */
export async function ingestSample(execute: Execute): Promise<IngestSummary> {
  const file = await openRecordFile(sampleFile);
  return ingestRecords(readSourceRecords(file), createStoreSink(execute, systemCaller), {
    onProblem({ place, message }) {
      throw new PostilError('INTERNAL', `The sample cannot be loaded: ${place}: ${message}`);
    },
  });
}
