import type { JsonValue } from '../aspect/json.ts';
import { isJsonObject } from '../aspect/json.ts';
import { columnAspects } from '../entity/column.ts';
import { compileCollect } from './compile-path.ts';
import { compilePredicate } from './compile-test.ts';
import { sourcesOf } from './derive-aspects.ts';
import { descriptionPairs } from './effective-description.ts';
import { compileElements, enter, isEnough } from './elements.ts';
import { isEmptyValue } from './emptiness.ts';
import { type ExplainedElements, type ExplainedNode, maxShown } from './explanation.ts';
import type { LoadedEntity, Run } from './facts.ts';
import { isUrn } from '../urn/urn.ts';
import { operatorOf } from './operators.ts';
import type { ForEach, Leaf, Path, PathStep, Predicate } from './predicate.ts';

/** What was looked at, so that it can be said who wrote it. */
export type Looked = (entity: LoadedEntity, aspect: string) => void;

/** Says why a predicate holds or not; the outcome is always the one that evaluation gives. */
export type Explainer = (entity: LoadedEntity, run: Run, looked: Looked, canSee: CanSee) => ExplainedNode;

/** Whether whoever reads the explanation may be shown an entity, by its URN. */
export type CanSee = (urn: string) => boolean;

/** Stands for what the viewer may not see. */
const hidden = '(hidden)';

/** An explainer of the same tree that is evaluated, node by node. */
export function compileExplainer(predicate: Predicate): Explainer {
  switch (predicate.kind) {
    case 'And':
      return explainParts('and', predicate.operands, predicate.pointer, (part) => !part.outcome);
    case 'Or':
      return explainParts('or', predicate.operands, predicate.pointer, (part) => part.outcome);
    case 'None':
      return explainParts('not', predicate.operands, predicate.pointer, (part) => part.outcome);
    case 'Leaf':
      return explainLeaf(predicate);
    case 'ForEach':
      return explainForEach(predicate);
  }
}

/** `decides`: one such part settles the node, so the others do not matter. */
function explainParts(
  node: 'and' | 'or' | 'not',
  operands: readonly Predicate[],
  pointer: string,
  decides: (part: ExplainedNode) => boolean,
): Explainer {
  const explainers = operands.map(compileExplainer);
  return (entity, run, looked, canSee) => {
    const children: ExplainedNode[] = [];
    const deciding: ExplainedNode[] = [];
    for (const explain of explainers) {
      const part = explain(entity, run, looked, canSee);
      children.push(part);
      if (decides(part)) deciding.push(part);
      // One is enough to hold; everything that is to blame is worth knowing.
      if (node === 'or' && deciding.length > 0) break;
    }
    const isSettled = deciding.length > 0;
    return {
      node,
      pointer,
      outcome: node === 'or' ? isSettled : !isSettled,
      children: isSettled ? deciding : children,
    };
  };
}

function explainLeaf(leaf: Leaf): Explainer {
  const holds = compilePredicate(leaf);
  const valuesOf = compileCollect(leaf.path.steps);
  const operator = operatorOf(leaf.operator);
  const print = operator?.printOperand ?? String;
  const expected = leaf.operands.slice(0, maxShown).map((operand) => shortened(print(operand)));
  return (entity, run, looked, canSee) => {
    const own: Run = { ...run, notes: new Set() };
    const outcome = holds(entity, own);
    const values = [...new Set(valuesOf(entity, own))];
    run.budget = own.budget;
    const notes = new Set<string>(own.notes);
    if (values.length === 0) notes.add('MISSING');
    else if (values.every(isEmptyValue)) notes.add('EMPTY');
    if (values.length === 0 && outcome && operator?.readsDefault === true && operator.quantifier === 'any') {
      notes.add('DEFAULT');
    }
    for (const note of own.notes) run.notes.add(note);
    lookAlong(leaf.path, entity, run, looked);
    const shown = values.slice(0, maxShown);
    const open = shown.length > 0 && isOpen(leaf.path, entity, run, canSee);
    return {
      node: 'leaf',
      pointer: leaf.pointer,
      outcome,
      children: [],
      leaf: {
        property: leaf.path.text,
        operator: leaf.operator,
        expected,
        observed: shown.map((value) => (open && isShown(value, canSee) ? printed(value) : hidden)),
        observedCount: values.length,
        notes: [...notes],
      },
    };
  };
}

function explainForEach(node: ForEach): Explainer {
  const elementsOf = compileElements(node);
  const isSelected = node.where === undefined ? undefined : compilePredicate(node.where);
  const satisfies = compilePredicate(node.satisfies);
  const explain = compileExplainer(node.satisfies);
  const { quantifier, pointer } = node;
  return (entity, run, looked, canSee) => {
    lookAlong(node.collection, entity, run, looked);
    const around = run.element;
    const elements = elementsOf(entity, run);
    const selected = elements.filter(
      (element) => isSelected?.(enter(node, element, entity, run), run) !== false,
    );
    const good = new Set(selected.filter((element) => satisfies(enter(node, element, entity, run), run)));
    const outcome =
      selected.length > 0 ? isEnough(quantifier, selected.length, good.size) : node.onEmpty === 'pass';
    if (selected.length === 0) run.notes.add('EMPTY_COLLECTION');
    // To blame for `none` are those that satisfy; for all others those that do not.
    const isBlamed = (element: JsonValue): boolean => good.has(element) === (quantifier.kind === 'none');
    const deciding = selected.filter((element) => isBlamed(element) !== outcome);
    const open = isOpen(node.collection, entity, run, canSee);
    const shown = deciding.slice(0, maxShown).map((element) => ({
      element: open && isShown(element, canSee) ? labelOf(element) : hidden,
      why: explain(enter(node, element, entity, run), run, looked, canSee),
    }));
    run.element = around;
    const counted: ExplainedElements = {
      collection: node.collection.text,
      considered: elements.length,
      selected: selected.length,
      satisfied: good.size,
      shown,
      deciding: deciding.length,
    };
    return { node: 'forEach', pointer, outcome, children: [], elements: counted };
  };
}

/** A value is shown unless it is the URN of what is hidden. */
function isShown(value: JsonValue, canSee: CanSee): boolean {
  return typeof value !== 'string' || !isUrn(value) || canSee(value);
}

/** Whether a path reads only of, and behind, what is not hidden. */
function isOpen({ steps }: Path, entity: LoadedEntity, run: Run, canSee: CanSee): boolean {
  const subject = steps[0]?.kind === 'Root' ? run.root : entity;
  if (isUrn(subject.urn) && !canSee(subject.urn)) return false;
  const unlimited: Run = { ...run, notes: new Set(), budget: Number.MAX_SAFE_INTEGER };
  return steps.every((step, at) => {
    if (step.kind !== 'Hop') return true;
    const targets = compileCollect(steps.slice(0, at))(entity, unlimited);
    return targets.every((target) => isShown(target, canSee));
  });
}

/** Notes the aspects that the start of a path reads; behind a hop, those of the targets that were loaded. */
function lookAlong({ steps }: Path, entity: LoadedEntity, run: Run, looked: Looked): void {
  const [first] = steps;
  const from = first?.kind === 'Root' ? run.root : entity;
  const start = first?.kind === 'Root' ? steps[1] : first;
  for (const aspect of aspectsOf(start)) looked(from, aspect);
  const hopAt = steps.findIndex((step) => step.kind === 'Hop');
  if (hopAt === -1) return;
  const targets = compileCollect(steps.slice(0, hopAt))(entity, { ...run, notes: new Set() });
  for (const urn of targets.slice(0, maxShown)) {
    const target = typeof urn === 'string' ? run.facts.get(urn) : undefined;
    if (target !== undefined) for (const aspect of aspectsOf(steps[hopAt + 1])) looked(target, aspect);
  }
}

function aspectsOf(step: PathStep | undefined): readonly string[] {
  if (step?.kind === 'Aspect') return [step.name, ...sourcesOf(step.name).series];
  if (step?.kind === 'Lineage') return step.direction === 'upstream' ? ['upstreamLineage'] : [];
  if (step?.kind !== 'Virtual') return [];
  if (step.name === 'columns' || step.name.startsWith('schemaFields')) return columnAspects;
  if (step.name !== 'effective.description') return [];
  return [...descriptionPairs.values()].flatMap(({ edited, ingested }) => [edited, ingested]);
}

const maxCharacters = 200;

function shortened(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text;
}

function printed(value: JsonValue): string {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value));
}

/** What people call an element: the name of a column, the text or URN, else what it holds. */
function labelOf(element: JsonValue): string {
  const name = isJsonObject(element) ? element['name'] : undefined;
  return typeof name === 'string' && name !== '' ? shortened(name) : printed(element);
}
