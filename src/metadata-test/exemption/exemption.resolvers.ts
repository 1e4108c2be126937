import { type EntityValue, referredEntity } from '../../entity/graphql-types.ts';
import { checkPage } from '../../entity/page.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { Resolvers } from '../../graphql/resolver.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { testLibraryOf } from '../test-library.ts';
import {
  approveTestExemption,
  createTestExemption,
  type ExemptionInput,
  type ExemptionReference,
  rejectTestExemption,
  removeTestExemption,
  requestTestExemption,
} from './change-exemptions.ts';
import { exemptionsOfEntity } from './entity-exemptions.ts';
import { type Exemption, exemptionsOf, type ExemptionStatus, exemptionStatus } from './exemption.ts';

const pageSizeDefault = 20;

/** An exemption as GraphQL shows it. */
export function shownExemption(test: Urn, exemption: Exemption, now: number): object {
  const { entity, filter, ...rest } = exemption;
  return {
    ...rest,
    test: referredEntity(test),
    entityUrn: entity ?? null,
    filter: filter === undefined ? null : JSON.stringify(filter),
    status: exemptionStatus(exemption, now),
  };
}

type PageArguments = {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly status?: ExemptionStatus | null;
};

async function exemptionsPage(test: Urn, args: PageArguments, context: RequestContext): Promise<object> {
  const start = args.start ?? 0;
  const count = args.count ?? pageSizeDefault;
  checkPage({ start, count });
  const now = context.now();
  const isWanted = (exemption: Exemption): boolean => {
    const status = exemptionStatus(exemption, now);
    return (args.status ?? status) === status || (args.status === 'ACTIVE' && status === 'EXPIRING');
  };
  const aspect = await context.load(test, 'testExemptions');
  const wanted = exemptionsOf(aspect?.body)
    .filter(isWanted)
    .toSorted(
      (left, right) =>
        (left.expires ?? Infinity) - (right.expires ?? Infinity) || left.createdAt - right.createdAt,
    );
  const page = wanted.slice(start, start + count);
  return {
    start,
    count: page.length,
    total: wanted.length,
    exemptions: page.map((exemption) => shownExemption(test, exemption, now)),
  };
}

async function ofEntity(text: string, context: RequestContext): Promise<readonly object[]> {
  const now = context.now();
  const tests = await testLibraryOf(context.reader).all();
  const found = await exemptionsOfEntity(context.reader, tests, parseUrn(text), now);
  return found.map(({ test, exemption }) => shownExemption(test, exemption, now));
}

type Args = { readonly input: ExemptionInput };

export const exemptionResolvers: Resolvers = {
  Query: {
    exemptions: {
      isVolatile: true,
      resolve: (_source: unknown, args: { readonly urn: string }, context) => ofEntity(args.urn, context),
    },
  },
  Test: {
    exemptions: {
      isVolatile: true,
      resolve: ({ urn }: EntityValue, args: PageArguments, context) => exemptionsPage(urn, args, context),
    },
  },
  Mutation: {
    requestTestExemption: (_source, { input }: Args, context) => context.execute(requestTestExemption, input),
    createTestExemption: (_source, { input }: Args, context) => context.execute(createTestExemption, input),
    approveTestExemption: (_source, args: ExemptionReference, context) =>
      context.execute(approveTestExemption, args),
    rejectTestExemption: (_source, args: ExemptionReference, context) =>
      context.execute(rejectTestExemption, args),
    removeTestExemption: (_source, args: ExemptionReference, context) =>
      context.execute(removeTestExemption, args),
  },
};
