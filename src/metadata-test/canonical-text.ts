import { createHash } from 'node:crypto';
import { operatorOf } from './operators.ts';
import { graceDaysOf, mergesSiblings } from './read-keys.ts';
import type { Action, ForEach, Leaf, Predicate, Rule, Severity, TestDefinition } from './predicate.ts';

/** MD5 of the stored text, byte for byte: `definition.md5` and `testDefinitionMd5` on the wire. */
export function definitionMd5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/**
 * SHA-256 of the tree: equal for definitions that mean the same in whatever dialect, order of types and values and
 * layout aside, so that a cosmetic edit is known to be one.
 */
export function semanticHash(definition: TestDefinition): string {
  const meaning = {
    types: definition.types.toSorted(),
    conditions: meaningOf(definition.conditions),
    rules: rulesOf(definition, (severity) => severity === 'error')
      .flatMap(conjuncts)
      .map(meaningOf),
    remarks: rulesOf(definition, (severity) => severity !== 'error').map(meaningOf),
    actionPolicy: definition.keys['actionPolicy'],
    ...(mergesSiblings(definition) ? { siblings: 'merge' } : {}),
    ...(graceDaysOf(definition) === 0 ? {} : { graceDays: graceDaysOf(definition) }),
    passing: definition.actions.passing.map(printedAction),
    failing: definition.actions.failing.map(printedAction),
  };
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex');
}

function rulesOf(
  definition: TestDefinition,
  isWanted: (severity: Severity) => boolean,
): readonly Predicate[] {
  return definition.rules.filter(({ severity }) => isWanted(severity)).map(({ predicate }) => predicate);
}

/** What a predicate demands, part by part: a list of rules means the same as one rule with all of them. */
export function conjuncts(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === 'And' ? predicate.operands.flatMap(conjuncts) : [predicate];
}

/** The definition in the current dialect, keys sorted, without empty optional members. Reading it gives the same tree. */
export function canonicalText(definition: TestDefinition): string {
  const { passing, failing } = definition.actions;
  return JSON.stringify(
    sorted({
      ...definition.keys,
      ...(passing.length + failing.length > 0
        ? { actions: { failing: failing.map(printedAction), passing: passing.map(printedAction) } }
        : {}),
      on: {
        ...(isNothing(definition.conditions) ? {} : { conditions: printed(definition.conditions) }),
        types: definition.types,
      },
      rules: definition.rules.map(printedRule),
    }),
  );
}

function sorted(members: object): object {
  return Object.fromEntries(Object.entries(members).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function isNothing(predicate: Predicate): boolean {
  return predicate.kind === 'And' && predicate.operands.length === 0;
}

function printed(predicate: Predicate): object {
  switch (predicate.kind) {
    case 'And':
      return { and: predicate.operands.map(printed) };
    case 'Or':
      return { or: predicate.operands.map(printed) };
    case 'None':
      return { not: predicate.operands.map(printed) };
    case 'Leaf':
      return printedLeaf(predicate);
    case 'ForEach':
      return printedForEach(predicate);
  }
}

function printedForEach({ collection, where, satisfies, quantifier, onEmpty }: ForEach): object {
  const hops = collection.steps.find((step) => step.kind === 'Lineage')?.hops ?? 1;
  const { kind, ...share } = quantifier;
  return {
    ...share,
    forEach: collection.text,
    ...(hops === 1 ? {} : { hops }),
    ...(onEmpty === 'fail' ? {} : { onEmpty }),
    ...(kind === 'all' ? {} : { quantifier: kind }),
    satisfies: printed(satisfies),
    ...(where === undefined ? {} : { where: printed(where) }),
  };
}

function printedRule({ id, severity, message, docs, predicate }: Rule, index: number): unknown {
  return sorted({
    ...(docs === undefined ? {} : { docs }),
    ...(id === `rule-${index + 1}` ? {} : { id }),
    ...(message === undefined ? {} : { message }),
    ...(severity === 'error' ? {} : { severity }),
    ...printed(predicate),
  });
}

function printedLeaf(leaf: Leaf): object {
  const print = operatorOf(leaf.operator)?.printOperand ?? String;
  const values = leaf.operands.map(print);
  return {
    operator: leaf.operator,
    property: leaf.path.text,
    ...(values.length > 0 ? { values } : {}),
  };
}

function printedAction(action: Action): unknown {
  const names = Object.keys(action.params).toSorted();
  return {
    ...(names.length > 0
      ? { params: Object.fromEntries(names.map((name) => [name, action.params[name]])) }
      : {}),
    type: action.type,
    ...(action.values.length > 0 ? { values: action.values } : {}),
  };
}

/** A text that is equal for predicates of equal meaning; where they stand is no part of it. */
export function meaningText(predicate: Predicate): string {
  let text = meanings.get(predicate);
  if (text === undefined) {
    text = JSON.stringify(meaningOf(predicate));
    meanings.set(predicate, text);
  }
  return text;
}

const meanings = new WeakMap<Predicate, string>();

function meaningOf(predicate: Predicate): unknown {
  if (predicate.kind === 'ForEach') {
    const { collection, where, satisfies, quantifier, onEmpty } = predicate;
    const hops = collection.steps.find((step) => step.kind === 'Lineage')?.hops ?? 1;
    const selected = where === undefined ? null : meaningOf(where);
    return ['ForEach', collection.text, hops, selected, meaningOf(satisfies), quantifier, onEmpty];
  }
  if (predicate.kind !== 'Leaf') return [predicate.kind, ...predicate.operands.map(meaningOf)];
  const { operator, path } = predicate;
  const isOrdered = operatorOf(operator)?.takes === 'two';
  const operands = isOrdered
    ? predicate.operands
    : [...new Set(predicate.operands)].toSorted((left, right) => (String(left) < String(right) ? -1 : 1));
  return ['Leaf', path.text, operator, operands];
}
