import type { EntityValue } from '../../entity/graphql-types.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { Resolvers } from '../../graphql/resolver.ts';
import { parseUrn, type Urn } from '../../urn/urn.ts';
import { type LibraryTest, testLibraryOf } from '../test-library.ts';
import { entityScore } from './entity-score.ts';
import { levelOf, targetOf, type TestLevel, weightOf } from './score-keys.ts';
import { biggestContributors, targetProgress } from './target-progress.ts';

async function knownTest(urn: Urn, context: RequestContext): Promise<LibraryTest | undefined> {
  return (await testLibraryOf(context.reader).all()).get(urn);
}

function shownLevel(level: TestLevel | null | undefined): string | null {
  return level?.toUpperCase() ?? null;
}

async function score(text: string, context: RequestContext): Promise<object> {
  const tests = await testLibraryOf(context.reader).all();
  const found = await entityScore(context.reader, tests, parseUrn(text), context.now());
  return {
    ...found,
    level: shownLevel(found.level),
    levels: found.levels.map((progress) => ({ ...progress, level: shownLevel(progress.level) })),
  };
}

async function target(urn: Urn, context: RequestContext): Promise<object | null> {
  const test = await knownTest(urn, context);
  const wanted = test === undefined ? undefined : targetOf(test.compiled.definition);
  const { tests } = context.services;
  if (test === undefined || wanted === undefined || tests === undefined) return null;
  const now = context.now();
  const progress = await targetProgress(tests.verdicts, urn, wanted, now);
  return {
    ...progress,
    contributors: () => biggestContributors(context.reader, tests.verdicts, test, now),
  };
}

export const scoreResolvers: Resolvers = {
  Query: {
    testScore: {
      isVolatile: true,
      resolve: (_source: unknown, args: { readonly urn: string }, context) => score(args.urn, context),
    },
  },
  Test: {
    weight: {
      isVolatile: true,
      resolve: async ({ urn }: EntityValue, _args: unknown, context) => {
        const test = await knownTest(urn, context);
        return test === undefined ? 1 : weightOf(test.compiled.definition);
      },
    },
    level: {
      isVolatile: true,
      resolve: async ({ urn }: EntityValue, _args: unknown, context) => {
        const test = await knownTest(urn, context);
        return test === undefined ? null : shownLevel(levelOf(test.compiled.definition));
      },
    },
    target: {
      isVolatile: true,
      resolve: ({ urn }: EntityValue, _args: unknown, context) => target(urn, context),
    },
  },
  TestTarget: {
    contributors: (source: { readonly contributors: () => Promise<object> }) => source.contributors(),
  },
};
