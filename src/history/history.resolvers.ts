import { canSee } from '../auth/can-see.ts';
import { requestedUrn } from '../entity/graphql-types.ts';
import { isSecretAspect } from '../entity/secret-aspects.ts';
import { PostilError } from '../errors/postil-error.ts';
import type { RequestContext } from '../graphql/request-context.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import type { Urn } from '../urn/urn.ts';
import { aspectAsOf, type Moment } from './aspect-as-of.ts';
import type { ChangeCategory } from './change-event.ts';
import { type ChangeTransaction, timelineOf } from './timeline.ts';
import { requireChange, undoChange } from './undo-change.ts';

type TimelineInput = {
  readonly urn: string;
  readonly changeCategories?: readonly ChangeCategory[] | null;
  readonly startTimeMillis?: number | null;
  readonly endTimeMillis?: number | null;
};

type AsOfArguments = {
  readonly urn: string;
  readonly aspectName: string;
  readonly timeMillis?: number | null;
  readonly sequence?: number | null;
};

/** The URN, if the caller may be shown its entity. Throws ENTITY_NOT_FOUND. */
function visibleUrn(text: string, { caller }: RequestContext): Urn {
  const urn = requestedUrn(text);
  if (!canSee(caller, urn)) throw new PostilError('ENTITY_NOT_FOUND', `${urn} does not exist.`);
  return urn;
}

async function getTimeline(
  { input }: { readonly input: TimelineInput },
  context: RequestContext,
): Promise<object> {
  const transactions = await timelineOf(context.reader, {
    urn: visibleUrn(input.urn, context),
    ...(input.changeCategories ? { categories: input.changeCategories } : {}),
    ...(typeof input.startTimeMillis === 'number' ? { from: input.startTimeMillis } : {}),
    ...(typeof input.endTimeMillis === 'number' ? { to: input.endTimeMillis } : {}),
  });
  return { changeTransactions: transactions.map(transactionValue) };
}

function transactionValue(transaction: ChangeTransaction): object {
  const { time, actor, command, version, sequence, operation, events } = transaction;
  return {
    timestampMillis: time,
    actor,
    command,
    lastSemanticVersion: version ?? null,
    versionStamp: String(sequence),
    changeType: operation,
    changes: events.map((event) => ({
      urn: event.urn,
      category: event.category,
      operation: event.operation,
      modifier: event.modifier ?? null,
      parameters: Object.entries(event.parameters).map(([key, value]) => ({ key, value })),
      auditStamp: { time, actor },
      description: event.description,
      sequence: event.sequence,
    })),
  };
}

async function asOf(args: AsOfArguments, context: RequestContext): Promise<object> {
  const urn = visibleUrn(args.urn, context);
  const { aspectName } = args;
  if (isSecretAspect(aspectName))
    throw new PostilError('FORBIDDEN', `${aspectName} holds secrets and is shown to nobody.`);
  const { aspect, sequence } = await aspectAsOf(context.reader, urn, aspectName, momentOf(args));
  return {
    aspectName,
    payload: aspect?.text ?? null,
    version: aspect?.version ?? null,
    lastModified: aspect?.stamp ?? null,
    sequence: sequence ?? null,
  };
}

function momentOf({ timeMillis, sequence }: AsOfArguments): Moment {
  const [time, after] = [timeMillis ?? undefined, sequence ?? undefined];
  if (time !== undefined && after === undefined) return { time };
  if (after !== undefined && time === undefined) return { sequence: after };
  throw new PostilError('BAD_REQUEST', 'Say either timeMillis or sequence, and not both.');
}

async function undo({ sequence }: { readonly sequence: number }, context: RequestContext): Promise<object> {
  const { urn, aspect } = await requireVisibleChange(sequence, context);
  const undone = await context.execute(undoChange, { sequence, urn, aspect });
  return { urn: undone.urn, aspectNames: undone.aspects };
}

async function requireVisibleChange(
  sequence: number,
  { caller, reader }: RequestContext,
): Promise<{ readonly urn: Urn; readonly aspect: string }> {
  const change = await requireChange(reader, sequence);
  if (!canSee(caller, change.urn)) {
    throw new PostilError('ENTITY_NOT_FOUND', `There is no change ${sequence} in the log.`);
  }
  return change;
}

export const historyResolvers: Resolvers = {
  Query: {
    getTimeline: {
      isVolatile: true,
      resolve: (_source, args: { readonly input: TimelineInput }, context) => getTimeline(args, context),
    },
    aspectAsOf: {
      isVolatile: true,
      resolve: (_source, args: AsOfArguments, context) => asOf(args, context),
    },
  },
  Mutation: {
    undoChange: (_source, args: { readonly sequence: number }, context) => undo(args, context),
  },
};
