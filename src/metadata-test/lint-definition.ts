import { conjuncts, meaningText } from './canonical-text.ts';
import { descriptionPairs } from './effective-description.ts';
import { type Findings, report } from './issue.ts';
import { contradiction } from './contradiction.ts';
import { type Leaf, leavesOf, type PathStep, type Predicate, predicatesOf } from './predicate.ts';
import { rootLeavesOf, type TestDefinition } from './predicate.ts';
import { carries } from './property-catalogue.ts';

/** Warns of what is allowed and most probably not meant (MT204 to MT212, except what needs the store). */
export function lintDefinition(definition: TestDefinition, findings: Findings): void {
  warnOfMissingProperties(definition, findings);
  const demanded = definition.rules
    .filter((rule) => rule.severity === 'error')
    .flatMap((rule) => conjuncts(rule.predicate));
  warnOfContradictions(conjuncts(definition.conditions), findings);
  warnOfContradictions(demanded, findings);
  for (const { predicate, pointer } of definition.rules) {
    if (!alwaysHolds(predicate, definition.types)) continue;
    report(findings, 'MT206', pointer, 'This rule holds for every entity, so it decides nothing.');
  }
  warnOfRepetitions(conjuncts(definition.conditions), demanded, findings);
  for (const predicate of predicatesOf(definition)) {
    for (const leaf of leavesOf(predicate)) warnOfLeaf(leaf, definition, findings);
    warnOfFanOut(predicate, 0, findings);
  }
}

/** S16: for a type without the property, a condition does not match and a rule is false. */
function warnOfMissingProperties(definition: TestDefinition, findings: Findings): void {
  for (const predicate of predicatesOf(definition)) {
    for (const leaf of rootLeavesOf(predicate)) {
      const [first] = leaf.path.steps.filter((step) => step.kind !== 'Root');
      if (first?.kind !== 'Aspect') continue;
      const without = definition.types.filter((type) => !carries(type, first.name));
      if (without.length === 0) continue;
      const message = `Entities of type ${without.join(', ')} have no property '${leaf.path.text}'.`;
      report(findings, 'MT204', leaf.pointer, message);
    }
  }
}

/** `demands` have to hold together. */
function warnOfContradictions(demands: readonly Predicate[], findings: Findings): void {
  for (const [index, right] of demands.entries()) {
    const alone = right.kind === 'Leaf' ? contradiction(right, right) : undefined;
    const left = demands.slice(0, index).find((other) => contradiction(other, right) !== undefined);
    const reason = alone ?? (left === undefined ? undefined : contradiction(left, right));
    if (reason === undefined) continue;
    const together = alone === undefined && left !== undefined ? ` together with ${left.pointer}` : '';
    report(findings, 'MT205', right.pointer, `This can never hold${together}: ${reason}.`);
  }
}

function warnOfRepetitions(
  conditions: readonly Predicate[],
  demands: readonly Predicate[],
  findings: Findings,
): void {
  const known = new Map(conditions.map((condition) => [meaningText(condition), condition]));
  for (const demand of demands) {
    const condition = known.get(meaningText(demand));
    if (condition === undefined) continue;
    const message = `This repeats ${condition.pointer}, so it holds for everything in scope.`;
    report(findings, 'MT207', demand.pointer, message);
  }
}

/** As far as the tree alone can tell; lists of nothing, which are constants, too, are warned of as such (MT202). */
function alwaysHolds(predicate: Predicate, types: readonly string[]): boolean {
  switch (predicate.kind) {
    case 'And':
      return (
        predicate.operands.length > 0 && predicate.operands.every((operand) => alwaysHolds(operand, types))
      );
    case 'Or':
      return (
        predicate.operands.some((operand) => alwaysHolds(operand, types)) || hasComplement(predicate.operands)
      );
    case 'None':
      return false;
    case 'ForEach':
      return predicate.onEmpty === 'pass' && alwaysHolds(predicate.satisfies, []);
    case 'Leaf':
      return leafAlwaysHolds(predicate, types);
  }
}

function leafAlwaysHolds({ operator, operands, path }: Leaf, types: readonly string[]): boolean {
  if (operator === 'count_at_least') return operands[0] === 0;
  const [step] = path.steps;
  if (step?.kind !== 'Virtual' || path.steps.length > 1) return false;
  if (operator === 'exists') return step.name === 'urn' || step.name === 'entityType';
  return (
    operator === 'equals' &&
    step.name === 'entityType' &&
    types.length > 0 &&
    types.every((type) => operands.includes(type))
  );
}

function hasComplement(operands: readonly Predicate[]): boolean {
  const meanings = new Set(operands.map((operand) => meaningText(operand)));
  return operands.some((operand) => {
    if (operand.kind !== 'None') return false;
    const [only, ...others] = operand.operands;
    return only !== undefined && others.length === 0 && meanings.has(meaningText(only));
  });
}

const comparisons: ReadonlySet<string> = new Set([
  'greater_than',
  'less_than',
  'greater_or_equal',
  'less_or_equal',
  'between',
]);

function warnOfLeaf({ path, operator }: Leaf, definition: TestDefinition, findings: Findings): void {
  if (/Percentile/.test(path.text.slice(path.text.lastIndexOf('.') + 1))) {
    const message = `'${path.text}' changes when other entities change, so only whole runs bring it up to date.`;
    report(findings, 'MT209', path.pointer, message);
  }
  if (path.valueType === 'timestamp' && comparisons.has(operator)) {
    const message =
      "A fixed date is passed by some day; 'newer_than' and 'older_than' compare with the time of evaluation.";
    report(findings, 'MT212', path.pointer, message);
  }
  for (const { edited, ingested } of descriptionPairs.values()) {
    if (!path.text.endsWith(`${ingested}.description`) || mentions(definition, `${edited}.description`))
      continue;
    const message = `People edit descriptions in '${edited}.description', which this test does not look at.`;
    const suggestion = path.text === `${ingested}.description` ? 'effective.description' : undefined;
    report(findings, 'MT211', path.pointer, message, suggestion);
    return;
  }
}

function mentions(definition: TestDefinition, property: string): boolean {
  return predicatesOf(definition).some((predicate) =>
    [...leavesOf(predicate)].some((leaf) => leaf.path.text.endsWith(property)),
  );
}

/** Lists that are followed to other entities one inside the other multiply. */
const largeFanOut = 2;

function warnOfFanOut(predicate: Predicate, around: number, findings: Findings): void {
  if (predicate.kind === 'Leaf') {
    warnOfPath(predicate.path, around, findings);
    return;
  }
  if (predicate.kind !== 'ForEach') {
    for (const operand of predicate.operands) warnOfFanOut(operand, around, findings);
    return;
  }
  const { collection, elements } = predicate;
  const isLarge = warnOfPath(collection, around, findings);
  const own = listHops(collection.steps) + (elements === 'entity' && collection.isList ? 1 : 0);
  // What is inside is not said again.
  if (isLarge) return;
  for (const part of [predicate.where, predicate.satisfies]) {
    if (part !== undefined) warnOfFanOut(part, around + own, findings);
  }
}

function warnOfPath(path: Leaf['path'], around: number, findings: Findings): boolean {
  if (around + listHops(path.steps) < largeFanOut) return false;
  const message = `'${path.text}' can lead to very many entities, which all have to be read.`;
  report(findings, 'MT210', path.pointer, message);
  return true;
}

/** How many lists a path follows to other entities; every edge of lineage is one, and downstream ones count double. */
function listHops(steps: readonly PathStep[]): number {
  let count = 0;
  let isList = false;
  for (const step of steps) {
    if (step.kind === 'Flatten') isList = true;
    if (step.kind === 'Lineage') count += step.hops - 1 + (step.direction === 'downstream' ? 1 : 0);
    if (step.kind !== 'Hop') continue;
    if (isList) count += 1;
    isList = false;
  }
  return count;
}
