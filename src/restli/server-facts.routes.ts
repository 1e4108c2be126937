import { createHash } from 'node:crypto';
import { isAllowed } from '../auth/caller.ts';
import type { Caller } from '../auth/caller.ts';
import type { Route } from '../http/route.ts';
import { restliErrorAnswer } from './restli-error.ts';

/**
 * The DataHub version whose behaviour clients may expect; they switch features by it. From 1.0.1 on the Python SDK writes
 * through OpenAPI v3, which is not there yet, so the last one before it is named (wire 1.3, contract section 2.6).
 */
const datahubVersion = '1.0.0';

const openGet = { method: 'GET', isOpen: true, bodyBytesMax: 0, answerError: restliErrorAnswer } as const;

/**
 * What anybody may ask: `/config`, by which clients decide how to talk (wire 1.3), and whether the server is well. Clients
 * keep what they know of a schema under `commit`, so that is a hash of the schema.
 */
export function serverFactsRoutes(schemaText: string): readonly Route[] {
  const commit = createHash('sha256').update(schemaText).digest('hex').slice(0, 12);
  const facts = {
    noCode: 'true',
    retention: 'true',
    // False as long as it is not so: clients that read true send patches and checkpoints.
    statefulIngestionCapable: false,
    patchCapable: false,
    supportsImpactAnalysis: true,
    timeZone: 'GMT',
    datasetUrnNameCasing: false,
    versions: { 'acryldata/datahub': { version: `v${datahubVersion}`, commit } },
    telemetry: { enabledCli: false, enabledIngestion: false },
    managedIngestion: { enabled: false, defaultCliVersion: datahubVersion },
    datahub: { serverType: 'prod', serverEnv: 'core' },
    models: {},
  };
  return [
    {
      ...openGet,
      path: '/config',
      async handle({ query, caller }) {
        const answer = query.get('verbose') === 'true' ? { ...facts, userType: userTypeOf(caller) } : facts;
        return { status: 200, body: JSON.stringify(answer) };
      },
    },
    {
      ...openGet,
      path: '/health',
      async handle({ services }) {
        // Asks the store, so that a server whose store is gone does not call itself well.
        await services.reader.lastSequence();
        return { status: 200, body: '{"status":"UP"}' };
      },
    },
    {
      ...openGet,
      path: '/health/live',
      async handle() {
        return { status: 200, body: '{"status":"UP"}' };
      },
    },
  ];
}

function userTypeOf(caller: Caller | undefined): 'admin' | 'user' | 'anonymous' {
  if (caller === undefined) return 'anonymous';
  return isAllowed(caller, [{ anyOf: ['MANAGE_POLICIES'] }]) ? 'admin' : 'user';
}
