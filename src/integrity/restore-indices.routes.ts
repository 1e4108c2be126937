import { isJsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Route } from '../http/route.ts';
import type { RebuildReport } from '../search-index/rebuild-index.ts';
import { parseUrn } from '../urn/urn.ts';
import type { RestoreIndices } from './restore-indices.ts';

const bodyBytesMax = 64 * 1024;

/**
 * Makes the search index anew (wire 3.11). Of the parameters, `urn` is obeyed; the others would only take a part of everything,
 * and everything is what is done. Answers when it is done.
 */
export function restoreIndicesRoute(
  restoreIndices: RestoreIndices,
  answerError: Route['answerError'],
): Route {
  return {
    method: 'POST',
    path: '/operations',
    action: 'restoreIndices',
    bodyBytesMax,
    answerError,
    async handle({ body, caller }) {
      if (caller === undefined) throw new PostilError('UNAUTHENTICATED', 'Authentication is required');
      const parameters = isJsonObject(body) ? body : {};
      const urn = parameters['urn'] ?? undefined;
      if (urn !== undefined && typeof urn !== 'string') {
        throw new PostilError('BAD_REQUEST', "Parameter 'urn' must be a text");
      }
      const report = await restoreIndices(caller, urn === undefined ? undefined : parseUrn(urn));
      return { status: 200, body: JSON.stringify({ value: textOf(report) }) };
    },
  };
}

function textOf({ entities, entries, unreadable }: RebuildReport): string {
  const damaged = unreadable.length === 0 ? '' : `; damaged, and left as they were: ${unreadable.join(' ')}`;
  return `Made ${entries} search entries of ${entities} entities anew${damaged}`;
}
