import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { AspectWrite } from '../../aspect/aspect.ts';
import type { JsonObject, JsonValue } from '../../aspect/json.ts';
import type { Command, DecisionContext } from '../../command/command.ts';
import { suggestion } from '../../entity/nearest-name.ts';
import { errorText } from '../../errors/error-text.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../../urn/urn.ts';
import type { TestDefinition } from '../predicate.ts';
import { readTestDefinition } from '../test-definition.ts';
import { parseTestUrn, storedTestOf } from '../test-entity.ts';
import { type Exemption, exemptionsOf, exemptionStatus } from './exemption.ts';
import { exemptionPolicyOf, maxExemptionDays } from './exemption-policy.ts';
import { readFilter } from './read-filter.ts';

/** Exemptions that one test may have, whatever their state. */
const exemptionsMax = 1_000;
/** Of those, the ones that are only asked for: whoever may ask leaves room for whoever may approve. */
const pendingMax = 500;
const dayMs = 86_400_000;
const reasonCharactersMax = 2_000;
/** Of the text of one filter; a test has up to 1,000 of them. */
const filterCharactersMax = 10_000;

export type ExemptionInput = {
  readonly testUrn: string;
  /** Either an entity, or the JSON text of a predicate that says which ones. */
  readonly entityUrn?: string | null;
  readonly filter?: string | null;
  /** Id of a rule; absent: the whole test. */
  readonly rule?: string | null;
  readonly reason: string;
  /** Milliseconds since the Unix epoch. */
  readonly expires?: number | null;
  /** Leaves out the end on purpose, which only administrators may. */
  readonly withoutEnd?: boolean | null;
};

export type ExemptionReference = { readonly testUrn: string; readonly id: string };

/**
 * Asks for an exemption, which excuses nobody until it is approved; whoever may edit the entity may ask. Answers its id.
 * Throws BAD_REQUEST, ENTITY_NOT_FOUND, INVALID_TEST_DEFINITION (for a filter), LIMIT_EXCEEDED (specification 3.13).
 */
export const requestTestExemption: Command<ExemptionInput, string> = {
  name: 'requestTestExemption',
  demands: ({ entityUrn }) => [
    entityUrn === undefined || entityUrn === null
      ? { anyOf: ['EDIT_ENTITY', 'MANAGE_TESTS'] }
      : { anyOf: ['EDIT_ENTITY', 'MANAGE_TESTS'], on: parseUrn(entityUrn) },
  ],
  decide(view, input, context) {
    if (input.withoutEnd === true) {
      throw new PostilError(
        'BAD_REQUEST',
        "An exemption that is asked for needs an end: give 'expires' instead of 'withoutEnd'.",
      );
    }
    return added(view, input, context, {});
  },
};

/** Makes an exemption that holds at once. The same errors as `requestTestExemption`. */
export const createTestExemption: Command<ExemptionInput, string> = {
  name: 'createTestExemption',
  demands: ({ withoutEnd }) => [
    { anyOf: ['MANAGE_TESTS'] },
    ...(withoutEnd === true ? [{ anyOf: ['MANAGE_POLICIES'] as const }] : []),
  ],
  decide: (view, input, context) => added(view, input, context, { approvedBy: context.caller.actor }),
};

/**
 * Makes an exemption hold that was asked for. One that is approved already stays as it is; an expired one, and one that could
 * no longer be asked for as the test is by now, is refused.
 */
export const approveTestExemption: Command<ExemptionReference, boolean> = {
  name: 'approveTestExemption',
  demands: () => [{ anyOf: ['MANAGE_TESTS'] }],
  async decide(view, input, { caller, now }) {
    const { test, exemptions, definition } = await storedExemptions(view, input.testUrn);
    const found = exemptionIn(exemptions, input, test);
    if (exemptionStatus(found, now) === 'EXPIRED') {
      throw new PostilError(
        'BAD_REQUEST',
        `Exemption ${found.id} of ${test} has expired; ask for a new one.`,
      );
    }
    if (found.approvedBy !== undefined) return { writes: [], result: true };
    // The test may be another one than when it was asked for.
    refuseByPolicy(test, definition, found.expires, now);
    checkedRule(found.rule, test, definition);
    if (found.filter !== undefined) readFilter(found.filter, definition.types);
    const approved = exemptions.map((exemption) =>
      exemption === found ? { ...exemption, approvedBy: caller.actor } : exemption,
    );
    return { writes: [written(test, approved)], result: true };
  },
};

/** Takes out an exemption that was only asked for. The versions of the aspect keep who asked, and who refused. */
export const rejectTestExemption: Command<ExemptionReference, boolean> = {
  name: 'rejectTestExemption',
  demands: () => [{ anyOf: ['MANAGE_TESTS'] }],
  async decide(view, input) {
    const { test, exemptions } = await storedExemptions(view, input.testUrn);
    const found = exemptionIn(exemptions, input, test);
    if (found.approvedBy !== undefined) {
      throw new PostilError(
        'BAD_REQUEST',
        `Exemption ${found.id} of ${test} is approved; removeTestExemption ends it.`,
      );
    }
    return { writes: [without(test, exemptions, found)], result: true };
  },
};

/** Takes out an exemption in whatever state; who was excused fails again. */
export const removeTestExemption: Command<ExemptionReference, boolean> = {
  name: 'removeTestExemption',
  demands: () => [{ anyOf: ['MANAGE_TESTS'] }],
  async decide(view, input) {
    const { test, exemptions } = await storedExemptions(view, input.testUrn);
    return { writes: [without(test, exemptions, exemptionIn(exemptions, input, test))], result: true };
  },
};

async function added(
  view: AspectReader,
  input: ExemptionInput,
  { caller, now, newId }: DecisionContext,
  approval: { readonly approvedBy?: string },
): Promise<{ readonly writes: readonly AspectWrite[]; readonly result: string }> {
  const reason = checkedReason(input.reason);
  const expires = checkedEnd(input, now);
  const { test, exemptions, definition } = await storedExemptions(view, input.testUrn);
  if (exemptions.length >= exemptionsMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `${test} has ${exemptions.length} exemptions, and ${exemptionsMax} are the limit: remove those that expired, or use a filter.`,
    );
  }
  const pending = exemptions.filter(({ approvedBy }) => approvedBy === undefined).length;
  if (approval.approvedBy === undefined && pending >= pendingMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `${pending} exemptions from ${test} are asked for, and ${pendingMax} are the limit: approve or reject some first.`,
    );
  }
  refuseByPolicy(test, definition, expires, now);
  const subject = await subjectOf(view, input, test, definition);
  const rule = checkedRule(input.rule ?? undefined, test, definition);
  const exemption: Exemption = {
    id: newId(),
    ...subject,
    ...(rule === undefined ? {} : { rule }),
    reason,
    requestedBy: caller.actor,
    ...approval,
    createdAt: now,
    ...(expires === undefined ? {} : { expires }),
  };
  return { writes: [written(test, [...exemptions, exemption])], result: exemption.id };
}

function checkedReason(text: string): string {
  if (text.trim() !== '' && text.length <= reasonCharactersMax) return text;
  throw new PostilError(
    'BAD_REQUEST',
    `An exemption needs a reason of 1 to ${reasonCharactersMax} characters that is not blank.`,
  );
}

function checkedEnd({ expires, withoutEnd }: ExemptionInput, now: number): number | undefined {
  if (expires === undefined || expires === null) {
    if (withoutEnd === true) return undefined;
    throw new PostilError(
      'BAD_REQUEST',
      "An exemption needs an end: give 'expires' in milliseconds since the Unix epoch.",
    );
  }
  if (withoutEnd === true) {
    throw new PostilError('BAD_REQUEST', "An exemption has either 'expires' or 'withoutEnd', not both.");
  }
  if (expires > now + maxExemptionDays * dayMs) {
    throw new PostilError(
      'BAD_REQUEST',
      `An exemption ends within ${maxExemptionDays} days; give an earlier 'expires'.`,
    );
  }
  if (expires > now) return expires;
  throw new PostilError('BAD_REQUEST', `The end of an exemption lies in the future, unlike ${expires}.`);
}

function refuseByPolicy(
  test: Urn,
  definition: TestDefinition,
  expires: number | undefined,
  now: number,
): void {
  const { allowed, maxDays } = exemptionPolicyOf(definition);
  if (!allowed) {
    throw new PostilError('BAD_REQUEST', `The definition of ${test} allows no exemptions.`);
  }
  if (maxDays !== undefined && (expires === undefined || expires > now + maxDays * dayMs)) {
    throw new PostilError(
      'BAD_REQUEST',
      `The definition of ${test} allows exemptions of at most ${maxDays} days; give an earlier 'expires'.`,
    );
  }
}

async function subjectOf(
  view: AspectReader,
  { entityUrn, filter }: ExemptionInput,
  test: Urn,
  { types }: TestDefinition,
): Promise<Pick<Exemption, 'entity' | 'filter'>> {
  const isNamed = entityUrn !== undefined && entityUrn !== null;
  if (isNamed === (filter !== undefined && filter !== null)) {
    throw new PostilError('BAD_REQUEST', "An exemption is for either an 'entityUrn' or a 'filter'.");
  }
  if (!isNamed) {
    const predicate = parsedFilter(filter ?? '');
    readFilter(predicate, types);
    return { filter: predicate };
  }
  const entity = parseUrn(entityUrn);
  if (!types.includes(urnType(entity))) {
    throw new PostilError(
      'BAD_REQUEST',
      `${test} is for ${types.join(', ')}, so ${entity} needs no exemption from it.`,
    );
  }
  if (!(await view.existing([entity])).has(entity)) {
    throw new PostilError('ENTITY_NOT_FOUND', `There is no entity ${entity}; nothing was exempted.`);
  }
  return { entity };
}

function parsedFilter(text: string): JsonValue {
  if (text.length > filterCharactersMax) {
    throw new PostilError(
      'LIMIT_EXCEEDED',
      `A filter has at most ${filterCharactersMax} characters, not ${text.length}.`,
    );
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const why = errorText(error);
    throw new PostilError('BAD_REQUEST', `'filter' is the JSON text of a predicate: ${why}`);
  }
}

/** Only rules that decide the verdict can be excused, and only by a name of their own: another rule may take their place. */
function checkedRule(rule: string | undefined, test: Urn, { rules }: TestDefinition): string | undefined {
  const known = rules.filter(({ severity }) => severity === 'error').map(({ id }) => id);
  if (rule !== undefined && rules.some(({ id }, index) => id === rule && rule === `rule-${index + 1}`)) {
    throw new PostilError(
      'BAD_REQUEST',
      `${JSON.stringify(rule)} says only where the rule stands, which an edit of ${test} changes; give the rule an 'id' first.`,
    );
  }
  if (rule === undefined || known.includes(rule)) return rule;
  throw new PostilError(
    'BAD_REQUEST',
    `${test} has no rule ${JSON.stringify(rule)} that decides its verdict.${suggestion(rule, known)}`,
  );
}

type StoredExemptions = {
  readonly test: Urn;
  readonly exemptions: readonly Exemption[];
  readonly definition: TestDefinition;
};

async function storedExemptions(view: AspectReader, text: string): Promise<StoredExemptions> {
  const test = parseTestUrn(text);
  const stored = await view.read(test, ['testKey', 'testInfo', 'testExemptions']);
  const info = stored.get('testInfo');
  if (!stored.has('testKey') || info === undefined) {
    throw new PostilError('ENTITY_NOT_FOUND', `There is no test ${test}.`);
  }
  const read = readTestDefinition(storedTestOf(test, info).json ?? '');
  if (!read.valid) {
    throw new PostilError(
      'INVALID_TEST_DEFINITION',
      `The definition of ${test} is not valid, so nothing can be exempt from it.`,
    );
  }
  const exemptions = exemptionsOf(stored.get('testExemptions')?.body);
  return { test, exemptions, definition: read.definition };
}

function exemptionIn(exemptions: readonly Exemption[], { id }: ExemptionReference, test: Urn): Exemption {
  const found = exemptions.find((exemption) => exemption.id === id);
  if (found !== undefined) return found;
  throw new PostilError('ENTITY_NOT_FOUND', `${test} has no exemption ${JSON.stringify(id)}.`);
}

function without(test: Urn, exemptions: readonly Exemption[], found: Exemption): AspectWrite {
  return written(
    test,
    exemptions.filter((exemption) => exemption !== found),
  );
}

function written(urn: Urn, exemptions: readonly Exemption[]): AspectWrite {
  const entries: readonly JsonObject[] = exemptions;
  return { urn, aspect: 'testExemptions', body: { exemptions: entries } };
}
