import { canSee } from '../../auth/can-see.ts';
import { referredEntity, requestedUrn } from '../../entity/graphql-types.ts';
import { PostilError } from '../../errors/postil-error.ts';
import type { RequestContext } from '../../graphql/request-context.ts';
import type { Resolvers } from '../../graphql/resolver.ts';
import type { Urn } from '../../urn/urn.ts';
import { shownExemption } from '../exemption/exemption.resolvers.ts';
import type { Explanation } from '../explanation.ts';
import { parseTestUrn } from '../test-entity.ts';
import type { TestServices } from '../test-services.ts';
import { type LibraryTest, testLibraryOf } from '../test-library.ts';
import { evaluateAsOf } from './evaluate-as-of.ts';
import { evaluateProposed, type ProposedAspect } from './evaluate-proposed.ts';
import type { PreviewActions } from './preview.ts';
import { admitPreview } from './preview-admission.ts';
import { previewDefinition } from './preview-definition.ts';

type PreviewArguments = {
  readonly json?: string | null;
  readonly testUrn?: string | null;
  readonly sampleSize?: number | null;
  readonly types?: readonly string[] | null;
};

type ProposedArguments = { readonly urn: string; readonly aspects: readonly ProposedAspect[] };

/** Less than a GraphQL query may take as a whole; REST has more time. */
const limits = { milliseconds: 6_000, waitMilliseconds: 2_500 };

function servicesOf({ services }: RequestContext): TestServices {
  if (services.tests !== undefined) return services.tests;
  throw new PostilError('OVERLOADED', 'Nothing is kept for metadata tests here; ask a running server.');
}

function explanationOf(explanation: Explanation, test: Urn | undefined, definitionMd5: string): object {
  return {
    ...explanation,
    exemption: null,
    test: referredEntity(test),
    definitionMd5,
    since: null,
    json: JSON.stringify(explanation),
  };
}

function actionsOf({ writes, approval, ...actions }: PreviewActions): object {
  return {
    ...actions,
    writes: Object.entries(writes).map(([action, count]) => ({ action, count })),
    approval: approval === undefined ? 'NONE' : approval.toUpperCase().replace('-', '_'),
  };
}

async function preview(input: PreviewArguments, context: RequestContext): Promise<object> {
  const { caller, reader } = context;
  const tests = servicesOf(context);
  const { json, testUrn, sampleSize, types } = input;
  const asked = {
    ...(typeof json === 'string' ? { json } : {}),
    ...(typeof testUrn === 'string' ? { testUrn: parseTestUrn(testUrn) } : {}),
    ...(typeof sampleSize === 'number' ? { sampleSize } : {}),
    ...(Array.isArray(types) ? { types } : {}),
  };
  const parts = { store: reader, tests, limits, canSee: (urn: Urn) => canSee(caller, urn) };
  const found = await admitPreview(tests.verdicts, caller.actor, () =>
    previewDefinition(parts, asked, context.now()),
  );
  const explained = (each: Explanation): object => explanationOf(each, found.test, found.definitionMd5);
  return {
    ...found,
    ...found.groups,
    test: referredEntity(found.test),
    actions: found.actions === undefined ? null : actionsOf(found.actions),
    failing: found.samples.failing.map(explained),
    passing: found.samples.passing.map(explained),
    nearlyPassing: found.samples.nearlyPassing.map(explained),
    issues: found.issues.map(({ severity, fix, ...issue }) => ({
      ...issue,
      severity: severity.toUpperCase(),
      fix: fix === undefined ? null : JSON.stringify(fix),
    })),
    json: JSON.stringify(found),
  };
}

function exemptionOf(
  test: LibraryTest | undefined,
  { exemption: id }: Explanation,
  now: number,
): object | null {
  const exemption = test?.exemptions.find((each) => each.id === id);
  return test === undefined || exemption === undefined ? null : shownExemption(test.urn, exemption, now);
}

async function proposed(input: ProposedArguments, context: RequestContext): Promise<object> {
  const tests = await testLibraryOf(context.reader).all();
  const asked = { urn: requestedUrn(input.urn), aspects: input.aspects };
  const { caller } = context;
  const proposer = { actor: caller.actor, canSee: (urn: Urn) => canSee(caller, urn) };
  const found = await evaluateProposed(context.reader, tests, asked, proposer, context.now());
  return {
    ...found,
    newlyFailing: found.newlyFailing.map(referredEntity),
    newlyPassing: found.newlyPassing.map(referredEntity),
    results: found.results.map(({ test, before, explanation }) => ({
      test: referredEntity(test),
      before,
      verdict: explanation.verdict,
      explanation: {
        ...explanationOf(explanation, test, tests.get(test)?.definitionMd5 ?? ''),
        exemption: exemptionOf(tests.get(test), explanation, context.now()),
      },
    })),
  };
}

type AsOfArguments = {
  readonly json?: string | null;
  readonly testUrn?: string | null;
  readonly urns: readonly string[];
  readonly time: number;
};

async function asOf({ json, testUrn, urns, time }: AsOfArguments, context: RequestContext): Promise<object> {
  const asked = {
    ...(typeof json === 'string' ? { json } : {}),
    ...(typeof testUrn === 'string' ? { testUrn: parseTestUrn(testUrn) } : {}),
    urns: urns.map(requestedUrn),
    time,
  };
  return evaluateAsOf(context.reader, asked, context.now());
}

export const previewResolvers: Resolvers = {
  Query: {
    previewTest: {
      isVolatile: true,
      resolve: (_source: unknown, args: { readonly input: PreviewArguments }, context) =>
        preview(args.input, context),
    },
    evaluateTestAsOf: {
      isVolatile: true,
      resolve: (_source: unknown, args: { readonly input: AsOfArguments }, context) =>
        asOf(args.input, context),
    },
    evaluateProposed: {
      isVolatile: true,
      resolve: (_source: unknown, args: { readonly input: ProposedArguments }, context) =>
        proposed(args.input, context),
    },
  },
};
