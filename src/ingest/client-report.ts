import type { AspectReader } from '../aspect/aspect-store.ts';
import { isJsonObject } from '../aspect/json.ts';
import type { JsonObject } from '../aspect/json.ts';
import { isAllowedOn } from '../auth/authorize.ts';
import type { Caller } from '../auth/caller.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { Urn } from '../urn/urn.ts';
import type { Proposal } from './proposal.ts';

/** The executor that DataHub's command line names: nobody ever takes up what is addressed to it. */
const commandLineExecutor = '__datahub_cli_';

const reportAspects: readonly string[] = [
  'dataHubIngestionSourceInfo',
  'dataHubExecutionRequestInput',
  'dataHubExecutionRequestResult',
];

/**
 * Whether a program tells what it has run itself. `datahub ingest` sends these among the metadata, in the same batches
 * (wire 7.3), so whoever may write the metadata has to be let through; they ask nobody to run anything.
 */
export function isClientReport(aspect: string, body: JsonObject): boolean {
  switch (aspect) {
    case 'dataHubIngestionSourceInfo': {
      const { config, schedule } = body;
      return (
        isJsonObject(config) && config['executorId'] === commandLineExecutor && (schedule ?? null) === null
      );
    }
    case 'dataHubExecutionRequestInput':
      return body['executorId'] === commandLineExecutor;
    case 'dataHubExecutionRequestResult': {
      const report = body['structuredReport'];
      return isJsonObject(report) && report['type'] === 'CLI_INGEST';
    }
    default:
      return false;
  }
}

/**
 * Refuses reports on sources and runs that are not a client's own: what it says of itself must not replace what somebody
 * has ordered. Whoever may order it anyway (MANAGE_POLICIES) may also replace it. Throws FORBIDDEN, naming the entity.
 */
export async function refuseForeignReports(
  view: AspectReader,
  proposals: readonly Proposal[],
  caller: Caller,
): Promise<void> {
  const urns = new Set<Urn>();
  for (const { urn, aspect, body } of proposals) {
    if (body !== undefined && isClientReport(aspect, body)) urns.add(urn);
  }
  if (urns.size === 0) return;
  for (const [urn, aspects] of await view.readMany([...urns], reportAspects)) {
    for (const [aspect, { body }] of aspects) {
      if (isClientReport(aspect, body)) continue;
      if (await isAllowedOn(view, caller, [{ anyOf: ['MANAGE_POLICIES'], on: urn }])) continue;
      throw new PostilError(
        'FORBIDDEN',
        `The ${aspect} of ${urn} is not a report of DataHub's command line, so a report cannot change it: ` +
          'that needs MANAGE_POLICIES. Report under a urn of your own.',
      );
    }
  }
}
