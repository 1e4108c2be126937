import type { Caller } from '../auth/caller.ts';
import type { Execute } from '../command/command.ts';
import { ingestAll } from './ingest-proposals.ts';
import type { ProposalSink } from './ingest-run.ts';

/** Stores proposals through the write engine of this process, as that caller. */
export function createStoreSink(execute: Execute, caller: Caller): ProposalSink {
  return {
    async ingest(proposals) {
      await ingestAll(proposals, (command, part) => execute(command, part, caller));
    },
  };
}
