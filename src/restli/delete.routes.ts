import { isJsonObject } from '../aspect/json.ts';
import { aspectSpecOf, requireAspect, requireEntityType } from '../entity/entity-registry.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Route } from '../http/route.ts';
import { ingestProposals } from '../ingest/ingest-proposals.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import { restliErrorAnswer } from './restli-error.ts';

const bodyBytesMax = 64 * 1024;

/**
 * How rest.li clients send the change type DELETE (wire 3.6, 5.1): the entity with all that it has, or one aspect of it.
 * Answers how many aspects that were. What is not there is no error: a request may arrive twice (wire 2.2).
 */
export const deleteRoute: Route = {
  method: 'POST',
  path: '/entities',
  action: 'delete',
  bodyBytesMax,
  answerError: restliErrorAnswer,
  async handle({ body, services }) {
    const parameters = isJsonObject(body) ? body : {};
    const urnText = parameters['urn'];
    if (typeof urnText !== 'string') throw refused("Parameter 'urn' is required");
    const urn = parseUrn(urnText);
    const type = requireEntityType(urnType(urn));
    const named = parameters['aspectName'] ?? undefined;
    if (named !== undefined && typeof named !== 'string')
      throw refused("Parameter 'aspectName' must be a text");
    for (const parameter of ['startTimeMillis', 'endTimeMillis']) {
      if ((parameters[parameter] ?? undefined) === undefined) continue;
      throw refused(
        `Parameter '${parameter}' is not supported: an aspect is deleted as a whole, or not at all`,
      );
    }
    const aspect = named ?? type.keyAspect;
    requireAspect(type.name, aspect);
    const names = aspect === type.keyAspect ? undefined : [aspect];
    const stored = [...(await services.reader.read(urn, names)).keys()];
    await services.execute(ingestProposals, [{ urn, aspect, changeType: 'DELETE' }]);
    const timeseriesRows = stored.filter((name) => aspectSpecOf(name)?.isTimeseries === true).length;
    const value = { urn, rows: stored.length - timeseriesRows, timeseriesRows };
    return { status: 200, body: JSON.stringify({ value }) };
  },
};

function refused(message: string): PostilError {
  return new PostilError('BAD_REQUEST', message);
}
