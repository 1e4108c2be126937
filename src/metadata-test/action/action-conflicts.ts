import { conjuncts, meaningText } from '../canonical-text.ts';
import { contradiction } from '../contradiction.ts';
import { type Findings, report } from '../issue.ts';
import type { Predicate, TestDefinition } from '../predicate.ts';
import { type ActionEffect, effectsOf } from './effects.ts';
import type { ActingTest } from './test-actions.ts';

/** Says which entities two tests share, as far as that is known. */
export type SharedSample = (other: ActingTest) => readonly string[];

const findingsMax = 10;

/**
 * Refuses actions that want the opposite of what another test's actions want, on scopes that may overlap (A7, MT135): the
 * same value added and removed, or different values where there is only one.
 */
export function reportConflicts(
  subject: ActingTest,
  others: readonly ActingTest[],
  findings: Findings,
  sharedWith: SharedSample = () => [],
): void {
  const own = effectsOf(subject.definition);
  reportOwn(subject, own, findings);
  let found = 0;
  for (const other of others) {
    for (const effect of own) {
      const opposite = effectsOf(other.definition).find(
        (each) => isOpposed(effect, each) && !areDisjoint(subject.definition, effect, other.definition, each),
      );
      if (opposite === undefined) continue;
      const shared = sharedWith(other);
      const sample = shared.length === 0 ? '' : ` Both are for ${shared.join(', ')}.`;
      const message = `'${effect.action}' contradicts '${opposite.action}' of ${other.name} (${opposite.pointer}), and one entity can be given both.${sample}`;
      report(findings, 'MT135', effect.pointer, message);
      found += 1;
      if (found >= findingsMax) return;
      break;
    }
  }
}

/** Within one list of actions, which are all done to the same entity. */
function reportOwn(subject: ActingTest, own: readonly ActionEffect[], findings: Findings): void {
  for (const [index, effect] of own.entries()) {
    const opposite = own.slice(0, index).find((each) => each.side === effect.side && isOpposed(effect, each));
    if (opposite === undefined) continue;
    const message = `'${effect.action}' contradicts '${opposite.action}' of ${subject.name} (${opposite.pointer}).`;
    report(findings, 'MT135', effect.pointer, message);
  }
}

function isOpposed(left: ActionEffect, right: ActionEffect): boolean {
  if (left.kind !== right.kind) return false;
  const isShared = left.values.some((value) => right.values.includes(value));
  switch (left.kind) {
    case 'tags':
    case 'terms':
    case 'owners':
      return left.gives !== right.gives && isShared;
    case 'deprecation':
      return left.gives !== right.gives;
    case 'domain':
    case 'dataProduct':
      return left.gives !== right.gives || !isShared;
    case 'structuredProperty':
      if (left.key !== right.key) return false;
      return (
        left.gives !== right.gives || left.values.toSorted().join('\n') !== right.values.toSorted().join('\n')
      );
  }
}

/** Whether no entity can be given both, as far as the trees alone tell. */
function areDisjoint(
  left: TestDefinition,
  leftEffect: ActionEffect,
  right: TestDefinition,
  rightEffect: ActionEffect,
): boolean {
  if (!left.types.some((type) => right.types.includes(type))) return true;
  const [ours, theirs] = [demandsOf(left, leftEffect), demandsOf(right, rightEffect)];
  if (ours.some((each) => theirs.some((other) => contradiction(each, other) !== undefined))) return true;
  return (
    (rightEffect.side === 'failing' && impliesRules(ours, right)) ||
    (leftEffect.side === 'failing' && impliesRules(theirs, left))
  );
}

/** What holds of every entity that the effect is had on. */
function demandsOf(definition: TestDefinition, { side }: ActionEffect): readonly Predicate[] {
  return side === 'passing'
    ? [...conjuncts(definition.conditions), ...rulesOf(definition)]
    : conjuncts(definition.conditions);
}

/** What fails a test does not hold all that passing it takes. */
function impliesRules(demands: readonly Predicate[], definition: TestDefinition): boolean {
  const known = new Set(demands.map(meaningText));
  return rulesOf(definition).every((rule) => known.has(meaningText(rule)));
}

function rulesOf(definition: TestDefinition): readonly Predicate[] {
  return definition.rules
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ predicate }) => conjuncts(predicate));
}
