import { authorize } from '../../auth/caller.ts';
import { canSee } from '../../auth/can-see.ts';
import { referredEntity } from '../../entity/graphql-types.ts';
import { checkPage } from '../../entity/page.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { Resolvers } from '../../graphql/resolver.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import { parseTestUrn } from '../test-entity.ts';
import type { TestServices } from '../test-services.ts';
import { type ActionLogEntry, readLog } from './action-log.ts';
import { type ActionRun, readRuns } from './action-state.ts';
import { describePatch } from './blast-radius.ts';
import {
  approveRun,
  planOfTest,
  rejectRun,
  releaseActions,
  type RunServices,
  runsUnderWay,
  undoRun,
} from './manage-runs.ts';

type RunArguments = { readonly urn: string; readonly runId: string };

type ApproveArguments = RunArguments & { readonly entities?: number | null };

const pageSizeDefault = 20;
/** Runs of one test that are looked at. */
const runsMax = 10_000;
const toView = [{ anyOf: ['VIEW_TESTS', 'MANAGE_TESTS'] }] as const;

function testsOf({ services }: RequestContext): TestServices {
  if (services.tests !== undefined) return services.tests;
  throw new PostilError('OVERLOADED', 'Nothing is kept for metadata tests here; ask a running server.');
}

function servicesOf(context: RequestContext): RunServices {
  const { verdicts, library } = testsOf(context);
  return {
    store: context.reader,
    verdicts,
    library,
    execute: (command, input) => context.execute(command, input),
    now: () => context.now(),
  };
}

const pauseReasons = { activation: 'ACTIVATION', 'blast radius': 'BLAST_RADIUS' } as const;

function shownRun(run: ActionRun, underWay: ReadonlySet<string>): object {
  const { counts, pausedFor, status, ...rest } = run;
  const isDone = status === 'open' && !underWay.has(run.id);
  return {
    ...rest,
    ...counts,
    run,
    status: isDone ? 'DONE' : status.toUpperCase(),
    pausedFor: pausedFor === undefined ? null : pauseReasons[pausedFor],
    approvedBy: run.approvedBy ?? null,
    approvedAt: run.approvedAt ?? null,
    rejectedBy: run.rejectedBy ?? null,
    rejectedAt: run.rejectedAt ?? null,
    undoneAt: run.undoneAt ?? null,
  };
}

async function shownNow(run: ActionRun, context: RequestContext): Promise<object> {
  return shownRun(run, await runsUnderWay(testsOf(context).verdicts, run.test));
}

async function plan(text: string, context: RequestContext): Promise<object> {
  authorize(context.caller, toView);
  const test = parseTestUrn(text);
  const found = await planOfTest(servicesOf(context), test);
  const { writes, sample, ...counts } = found.plan;
  return {
    ...counts,
    test: referredEntity(test),
    run: found.run === undefined ? null : await shownNow(found.run, context),
    isActivated: found.isActivated,
    writes: Object.entries(writes).map(([action, count]) => ({ action, count })),
    sample: sample.filter(({ entity }) => isUrn(entity) && canSee(context.caller, entity)),
    quarantine: found.quarantine ?? null,
  };
}

type PageArguments = { readonly urn: string; readonly start?: number | null; readonly count?: number | null };

async function runs(args: PageArguments, context: RequestContext): Promise<object> {
  authorize(context.caller, toView);
  const start = args.start ?? 0;
  const count = args.count ?? pageSizeDefault;
  checkPage({ start, count });
  const tests = testsOf(context);
  const test = parseTestUrn(args.urn);
  const all = await readRuns(tests.verdicts, test, runsMax);
  const underWay = await runsUnderWay(tests.verdicts, test);
  const page = all.slice(start, start + count).map((run) => shownRun(run, underWay));
  return { start, count: page.length, total: all.length, runs: page };
}

type LogArguments = { readonly after?: string | null; readonly count?: number | null };

async function log(
  { run }: { readonly run: ActionRun },
  { after, count }: LogArguments,
  context: RequestContext,
): Promise<readonly object[]> {
  const most = count ?? pageSizeDefault;
  checkPage({ start: 0, count: most });
  const entries = await readLog(testsOf(context).verdicts, run, {
    count: most,
    ...(typeof after === 'string' ? { after } : {}),
  });
  return entries.filter(({ entity }) => canSee(context.caller, entity)).map(shownEntry);
}

function shownEntry({ entity, status, verdict, time, depth, reason, patches }: ActionLogEntry): object {
  const changes = patches.map(describePatch);
  return { entity, outcome: status.toUpperCase(), verdict, time, depth, reason: reason ?? null, changes };
}

/** What was decided may be done at once. */
async function decided<T>(
  text: string,
  context: RequestContext,
  decide: (services: RunServices, test: Urn) => Promise<T>,
): Promise<T> {
  const made = await decide(servicesOf(context), parseTestUrn(text));
  testsOf(context).actions?.poke();
  return made;
}

export const testActionResolvers: Resolvers = {
  Query: {
    testActionPlan: {
      isVolatile: true,
      resolve: (_source: unknown, args: { readonly urn: string }, context) => plan(args.urn, context),
    },
    testActionRuns: {
      isVolatile: true,
      resolve: (_source: unknown, args: PageArguments, context) => runs(args, context),
    },
  },
  TestActionRun: {
    log: {
      isVolatile: true,
      resolve: (source: { readonly run: ActionRun }, args: LogArguments, context) =>
        log(source, args, context),
    },
  },
  Mutation: {
    approveTestActions: async (_source: unknown, { urn, runId, entities }: ApproveArguments, context) =>
      shownNow(
        await decided(urn, context, (services, test) =>
          approveRun(services, test, runId, context.caller, entities ?? undefined),
        ),
        context,
      ),
    rejectTestActions: async (_source: unknown, { urn, runId }: RunArguments, context) =>
      shownNow(
        await decided(urn, context, (services, test) => rejectRun(services, test, runId, context.caller)),
        context,
      ),
    undoTestActions: (_source: unknown, { urn, runId }: RunArguments, context) =>
      decided(urn, context, (services, test) => undoRun(services, test, runId, context.caller)),
    releaseTestActions: async (_source: unknown, { urn }: { readonly urn: string }, context) => {
      await decided(urn, context, (services, test) => releaseActions(services, test, context.caller));
      return true;
    },
  },
};
