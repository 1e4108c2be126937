import { authorize } from '../../auth/caller.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { Resolvers } from '../../graphql/resolver.ts';
import { parseTestUrn } from '../test-entity.ts';

const idleCounters = {
  changes: 0,
  candidates: 0,
  evaluations: 0,
  transitions: 0,
  errors: 0,
  lagMillis: 0,
  longestLagMillis: 0,
};

function status(context: RequestContext): object {
  authorize(context.caller, [{ anyOf: ['VIEW_TESTS', 'MANAGE_TESTS'] }]);
  const kept = context.services.tests?.keeper?.status();
  if (kept === undefined) {
    return { activity: 'STOPPED', sequence: 0, queued: 0, counters: idleCounters };
  }
  const { lagMs, longestLagMs, ...counters } = kept.counters;
  return {
    ...kept,
    activity: kept.activity.toUpperCase(),
    counters: { ...counters, lagMillis: lagMs, longestLagMillis: longestLagMs },
  };
}

async function reevaluate(text: string | null | undefined, context: RequestContext): Promise<boolean> {
  authorize(context.caller, [{ anyOf: ['MANAGE_TESTS'] }]);
  const { library, keeper } = context.services.tests ?? {};
  if (library === undefined || keeper === undefined) {
    throw new PostilError(
      'BAD_REQUEST',
      'Results are not kept here: start the server with --metadata-tests on to have tests evaluated for everything.',
    );
  }
  if (keeper.status().activity === 'waiting') {
    throw new PostilError('OVERLOADED', 'Another node of this catalogue keeps the results: ask that one.');
  }
  if (text === null || text === undefined) {
    // It goes on after the answer; what goes wrong is in the log and in the status.
    keeper.fullPass().catch(() => undefined);
    return true;
  }
  const urn = parseTestUrn(text);
  if (!(await library.all()).has(urn)) {
    throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${urn} that can be evaluated.`);
  }
  keeper.reevaluate(urn).catch(() => undefined);
  return true;
}

export const keeperResolvers: Resolvers = {
  Query: {
    testEngineStatus: {
      isVolatile: true,
      resolve: (_source: unknown, _args: unknown, context) => status(context),
    },
  },
  Mutation: {
    reevaluateTests: (_source: unknown, args: { readonly urn?: string | null }, context) =>
      reevaluate(args.urn, context),
  },
};
