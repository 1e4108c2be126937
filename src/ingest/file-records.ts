import { isJsonObject, isNestedDeeper, jsonDepthMax } from '../aspect/json.ts';
import type { JsonValue } from '../aspect/json.ts';
import { errorText } from '../errors/error-text.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseProposal, systemMetadataOf } from './proposal.ts';
import type { Proposal } from './proposal.ts';
import { parseSnapshot } from './snapshot.ts';
import { verbatimNumbersOf } from './verbatim-numbers.ts';

/**
 * The proposals of one record of a file: a metadata change event (a snapshot under `proposedSnapshot`) or a metadata
 * change proposal (wire 10). Throws BAD_REQUEST for anything else, and what the two parsers throw.
 */
export function parseRecord(text: string): readonly Proposal[] {
  let record: JsonValue;
  try {
    record = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw refused(`it is not valid JSON: ${errorText(error)}`);
  }
  if (!isJsonObject(record)) throw refused('it is no JSON object');
  if (isNestedDeeper(record)) throw refused(`it is nested more than ${jsonDepthMax} levels deep`);
  const numbers = verbatimNumbersOf(text);
  const numbered = isJsonObject(numbers?.tree) ? numbers.tree : undefined;
  const snapshot = record['proposedSnapshot'];
  if (isPresent(snapshot)) {
    if (isPresent(record['proposedDelta']))
      throw refused('it holds a proposedDelta, which nobody defined; it cannot be read');
    const systemMetadata = systemMetadataOf(record['systemMetadata'], 'the snapshot');
    return parseSnapshot(snapshot, systemMetadata, numbers, numbered?.['proposedSnapshot']);
  }
  if (
    isPresent(record['aspectName']) ||
    isPresent(record['entityUrn']) ||
    isPresent(record['entityKeyAspect'])
  ) {
    return [parseProposal(record, numbers, numbered)];
  }
  throw refused('it is neither a snapshot (proposedSnapshot) nor a proposal (entityUrn, aspectName, aspect)');
}

function isPresent(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function refused(message: string): PostilError {
  return new PostilError('BAD_REQUEST', `The record cannot be read: ${message}`);
}
