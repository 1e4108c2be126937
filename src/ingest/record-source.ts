import { PostilError } from '../errors/postil-error.ts';
import { parseRecord } from './file-records.ts';
import type { SourceRecord } from './ingest-run.ts';
import { readJsonRecords } from './json-records.ts';
import type { RecordFile } from './record-file.ts';

/** The records of a file of snapshots and proposals, one after another; those that cannot be read carry their error. */
export async function* readSourceRecords(file: RecordFile): AsyncGenerator<SourceRecord> {
  for await (const item of readJsonRecords(file.chunks)) {
    const { number, offset } = item;
    const origin = { file: file.name, number, place: `byte ${offset}` };
    if ('problem' in item) {
      const error = new PostilError('BAD_REQUEST', `Broken JSON: ${item.problem}`);
      yield { ...origin, bytes: 0, proposals: [], error };
      continue;
    }
    try {
      yield { ...origin, bytes: item.text.length, proposals: parseRecord(item.text) };
    } catch (error) {
      if (!(error instanceof PostilError)) throw error;
      yield { ...origin, bytes: item.text.length, proposals: [], error };
    }
  }
}
