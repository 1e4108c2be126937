import type { JsonValue } from '../../aspect/json.ts';
import { PostilError } from '../../errors/postil-error.ts';
import { type CompiledTest, compilePredicate, type Evaluation, evaluationBudget } from '../compile-test.ts';
import { type EntityTest, type LoadedEntity, type LoadedFacts, type Run, runOn } from '../facts.ts';
import { emptyReadSet, mergeReadSet, readSetOf } from '../read-set.ts';
import { definitionMd5 } from '../canonical-text.ts';
import type { Predicate, TestDefinition } from '../predicate.ts';
import { subjectOf } from '../siblings.ts';
import type { Exemption } from './exemption.ts';
import { readFilter } from './read-filter.ts';

/**
 * The test with its exemptions: FAIL becomes EXEMPT for an entity that is excused from the whole test, or from every rule
 * that fails (metadata-tests specification 3.2). What is only asked for, and a filter that cannot be read, excuses nobody.
 * Where an exemption has ended, the failure has the note EXEMPTION_EXPIRED.
 */
export function withExemptions(compiled: CompiledTest, exemptions: readonly Exemption[]): CompiledTest {
  const { definition } = compiled;
  const named = new Map<string, Exemption[]>();
  const filtered: { readonly exemption: Exemption; readonly selects: EntityTest }[] = [];
  const filters: Predicate[] = [];
  for (const exemption of exemptions) {
    const { approvedBy, entity, filter } = exemption;
    if (approvedBy === undefined) continue;
    if (entity !== undefined) named.set(entity, [...(named.get(entity) ?? []), exemption]);
    const predicate =
      entity !== undefined || filter === undefined ? undefined : readable(filter, definition.types);
    if (predicate === undefined) continue;
    filters.push(predicate);
    filtered.push({ exemption, selects: compilePredicate(predicate) });
  }
  if (named.size + filtered.length === 0) return compiled;
  const readSet = emptyReadSet();
  mergeReadSet(readSet, compiled.readSet);
  mergeReadSet(readSet, readSetOf(filters));
  const deciding = definition.rules
    .filter(({ severity }) => severity === 'error')
    .map(({ id, predicate }) => ({ id, holds: compilePredicate(predicate) }));

  const exemptionsFor = (entity: LoadedEntity, run: Run): readonly Exemption[] => [
    ...(named.get(entity.urn) ?? []),
    ...filtered.filter(({ selects }) => selects(entity, run)).map(({ exemption }) => exemption),
  ];
  const excuse = (entity: LoadedEntity, run: Run): Exemption | undefined => {
    const own = exemptionsFor(entity, run);
    for (const { createdAt, expires } of own) {
      if (createdAt > run.now) run.wakeAt = Math.min(run.wakeAt, createdAt);
      else if (expires !== undefined && expires > run.now) run.wakeAt = Math.min(run.wakeAt, expires);
      else if (expires !== undefined) run.notes.add('EXEMPTION_EXPIRED');
    }
    const active = own.filter(
      ({ createdAt, expires = Infinity }) => createdAt <= run.now && run.now < expires,
    );
    if (active.length === 0) return undefined;
    const whole = active.find(({ rule }) => rule === undefined);
    if (whole !== undefined) return whole;
    // A filter is about the entity itself; the rules judge it with its siblings where the test says so.
    const subject = subjectOf(definition, entity, run.facts, run);
    const judging = subject === entity ? run : runOn(subject, run.facts, run.now, run.budget);
    const failing = deciding.filter(({ holds }) => !holds(subject, judging));
    const excused = failing.map(({ id }) => active.find(({ rule }) => rule === id));
    return excused.includes(undefined) ? undefined : excused[0];
  };

  return {
    definition,
    readSet,
    mayExempt: (urn) => filtered.length > 0 || named.has(urn),
    evaluate(entity, facts, now) {
      const evaluation = compiled.evaluate(entity, facts, now);
      return evaluation.verdict === 'FAIL' && (filtered.length > 0 || named.has(entity.urn))
        ? excused(evaluation, excuse, entity, facts, now)
        : evaluation;
    },
  };
}

/**
 * MD5 of all about exemptions that verdicts depend on; '' when nobody is excused. What is only asked for, and reasons, change
 * none; the names of the rules do, where a rule is what somebody is excused from.
 */
export function exemptionsMd5({ rules }: TestDefinition, exemptions: readonly Exemption[]): string {
  const approved = exemptions.filter(({ approvedBy }) => approvedBy !== undefined);
  if (approved.length === 0) return '';
  const isByRule = approved.some(({ rule }) => rule !== undefined);
  return definitionMd5(
    JSON.stringify([
      approved.map(({ entity, filter, rule, createdAt, expires }) => ({
        entity,
        filter,
        rule,
        createdAt,
        expires,
      })),
      isByRule ? rules.map(({ id }) => id) : [],
    ]),
  );
}

function excused(
  evaluation: Evaluation,
  excuse: (entity: LoadedEntity, run: Run) => Exemption | undefined,
  entity: LoadedEntity,
  facts: LoadedFacts,
  now: number,
): Evaluation {
  const run = runOn(entity, facts, now, evaluationBudget);
  try {
    const exemption = excuse(entity, run);
    const wakeAt = Math.min(run.wakeAt, evaluation.wakeAt ?? Infinity);
    // What an operator noted about a filter says nothing about the verdict.
    const notes = new Set(evaluation.notes);
    if (exemption === undefined && run.notes.has('EXEMPTION_EXPIRED')) notes.add('EXEMPTION_EXPIRED');
    return {
      verdict: exemption === undefined ? 'FAIL' : 'EXEMPT',
      notes,
      ...(wakeAt === Infinity ? {} : { wakeAt }),
      ...(exemption === undefined ? {} : { exemption: exemption.id }),
    };
  } catch (error) {
    if (!(error instanceof PostilError)) throw error;
    return { verdict: 'ERROR', notes: new Set([...evaluation.notes, 'BUDGET']), reason: error.message };
  }
}

/** A filter that was ingested, or whose test now selects other types, may no longer be one. */
function readable(filter: JsonValue, types: readonly string[]): Predicate | undefined {
  try {
    return readFilter(filter, types);
  } catch (error) {
    if (error instanceof PostilError) return undefined;
    throw error;
  }
}
