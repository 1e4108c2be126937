import { createHash } from 'node:crypto';
import type { Action, Leaf, Predicate, TestDefinition } from './predicate.ts';

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
    rules: meaningOf(definition.rules),
    passing: definition.actions.passing.map(printedAction),
    failing: definition.actions.failing.map(printedAction),
  };
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex');
}

/** The definition in the current dialect, keys sorted, without empty optional members. Reading it gives the same tree. */
export function canonicalText(definition: TestDefinition): string {
  const { passing, failing } = definition.actions;
  return JSON.stringify({
    ...(passing.length + failing.length > 0
      ? { actions: { failing: failing.map(printedAction), passing: passing.map(printedAction) } }
      : {}),
    on: {
      ...(isNothing(definition.conditions) ? {} : { conditions: printed(definition.conditions) }),
      types: definition.types,
    },
    rules: printed(definition.rules),
  });
}

function isNothing(predicate: Predicate): boolean {
  return predicate.kind === 'And' && predicate.operands.length === 0;
}

function printed(predicate: Predicate): unknown {
  switch (predicate.kind) {
    case 'And':
      return { and: predicate.operands.map(printed) };
    case 'Or':
      return { or: predicate.operands.map(printed) };
    case 'None':
      return { not: predicate.operands.map(printed) };
    case 'Leaf':
      return printedLeaf(predicate);
  }
}

function printedLeaf(leaf: Leaf): unknown {
  const values = leaf.operands.map(String);
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

function meaningOf(predicate: Predicate): unknown {
  if (predicate.kind !== 'Leaf') return [predicate.kind, ...predicate.operands.map(meaningOf)];
  const operands = [...new Set(predicate.operands)].toSorted((left, right) =>
    String(left) < String(right) ? -1 : 1,
  );
  return ['Leaf', predicate.path.text, predicate.operator, operands];
}
