import { PostilError } from '../errors/postil-error.ts';
import { isUrn, urnParts } from '../urn/urn.ts';
import { type CompiledTest, evaluationBudget } from './compile-test.ts';
import { type CanSee, compileExplainer } from './explain-predicate.ts';
import {
  type ExplainedNode,
  type ExplainedRule,
  type Explanation,
  maxShown,
  type Provenance,
} from './explanation.ts';
import { type LoadedEntity, type LoadedFacts, type Run, runOn } from './facts.ts';
import type { Rule } from './predicate.ts';
import { subjectOf } from './siblings.ts';
import { hintsOf } from './to-pass.ts';

/** Aspects that are named; a path through lists can lead to many. */
const maxProvenance = 20;

/**
 * Explains the verdict of a test on an entity from the facts that it was decided by. The verdict is that of `evaluate`; only
 * what decides is explained; values of entities for which `canSee` is false are hidden. What cannot be explained within the
 * budget of an evaluation is left out.
 */
export function explainTest(
  { definition, evaluate }: CompiledTest,
  entity: LoadedEntity,
  facts: LoadedFacts,
  now: number,
  canSee: CanSee = () => true,
): Explanation {
  const evaluation = evaluate(entity, facts, now);
  const provenance = new Map<string, Provenance>();
  const looked = (found: LoadedEntity, name: string): void => {
    for (const holder of found.siblings ?? [found]) {
      const aspect = holder.aspects.get(name);
      if (aspect === undefined || provenance.size >= maxProvenance || !canSee(holder.urn)) continue;
      const { version, stamp } = aspect;
      provenance.set(`${holder.urn} ${name}`, {
        entity: holder.urn,
        aspect: name,
        version,
        changedBy: stamp.actor,
        changedAt: stamp.time,
      });
    }
  };
  const own = runOn(entity, facts, now, evaluationBudget);
  const subject = withinBudget(own, () => subjectOf(definition, entity, facts, own)) ?? entity;
  const run = subject === entity ? own : runOn(subject, facts, now, own.budget);
  const explain = (explainer: ReturnType<typeof compileExplainer>): ExplainedNode | undefined =>
    withinBudget(run, () => explainer(subject, run, looked, canSee));
  const isSelected = definition.types.includes(entity.type);
  const conditions = isSelected ? explain(compileExplainer(definition.conditions)) : undefined;
  const matched = evaluation.verdict !== 'NONE';
  const isFailing = evaluation.verdict === 'FAIL' || evaluation.verdict === 'EXEMPT';
  const rules =
    evaluation.verdict === 'PASS' || isFailing
      ? definition.rules.flatMap((rule) => {
          const why = explain(compileExplainer(rule.predicate));
          if (why === undefined || (isFailing && why.outcome)) return [];
          return [explainedRule(rule, why, entity)];
        })
      : [];
  const hints = rules.filter((rule) => rule.severity === 'error').flatMap(({ why }) => hintsOf(why, true));
  const scope = isSelected
    ? {
        matched,
        pointer: definition.conditions.pointer,
        observed: [entity.type],
        ...(conditions === undefined ? {} : { why: conditions }),
      }
    : { matched, pointer: '/on/types', observed: [entity.type] };
  return {
    entity: entity.urn,
    verdict: evaluation.verdict,
    why: reasonOf(evaluation, rules, scope, definition.types),
    scope,
    rules,
    provenance: [...provenance.values()],
    toPass: [...new Set(hints)],
    notes: [...new Set([...evaluation.notes, ...run.notes])],
    ...(evaluation.exemption === undefined ? {} : { exemption: evaluation.exemption }),
  };
}

/** What there is budget for; the rest of the explanation stands without it. */
function withinBudget<T>(run: Run, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PostilError)) throw error;
    run.notes.add('BUDGET');
    return undefined;
  }
}

function explainedRule(rule: Rule, why: ExplainedNode, entity: LoadedEntity): ExplainedRule {
  const { id, severity, message, docs } = rule;
  return {
    id,
    severity,
    outcome: why.outcome,
    ...(message === undefined || why.outcome ? {} : { message: filledIn(message, why, entity) }),
    ...(docs === undefined ? {} : { docs }),
    why,
  };
}

/** `{{name}}`, `{{count}}` and `{{sample}}`: the entity, and the elements or values that are to blame. */
function filledIn(message: string, why: ExplainedNode, entity: LoadedEntity): string {
  const blamed = blamedIn(why);
  const captures: Readonly<Record<string, string>> = {
    name: entityName(entity.urn),
    count: String(blamed?.count ?? 0),
    sample: (blamed?.sample ?? []).join(', '),
  };
  return message.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (written, name: string) => captures[name] ?? written);
}

type Blamed = { readonly count: number; readonly sample: readonly string[] };

/** The first collection that decides, else the values of the first leaf that does. */
function blamedIn(why: ExplainedNode): Blamed | undefined {
  const nodes = nodesIn(why);
  const elements = nodes.find((node) => node.elements !== undefined)?.elements;
  if (elements !== undefined) {
    return { count: elements.deciding, sample: elements.shown.map(({ element }) => element) };
  }
  const leaf = nodes.find((node) => node.leaf !== undefined)?.leaf;
  return leaf === undefined ? undefined : { count: leaf.observedCount, sample: leaf.observed };
}

function nodesIn(node: ExplainedNode): readonly ExplainedNode[] {
  return [node, ...node.children.flatMap(nodesIn)];
}

function entityName(urn: string): string {
  if (!isUrn(urn)) return urn;
  const parts = urnParts(urn);
  return (parts.length > 1 ? parts[1] : parts[0]) ?? urn;
}

function reasonOf(
  { verdict, reason }: ReturnType<CompiledTest['evaluate']>,
  rules: readonly ExplainedRule[],
  scope: Explanation['scope'],
  types: readonly string[],
): string {
  if (verdict === 'ERROR') return reason ?? 'The test cannot be decided.';
  if (verdict === 'PASS') {
    return rules.length === 0
      ? 'In scope, and there are no rules.'
      : 'In scope, and every rule that decides holds.';
  }
  if (verdict === 'FAIL' || verdict === 'EXEMPT') {
    const failing = rules.find((rule) => rule.severity === 'error');
    if (failing === undefined) return 'A rule does not hold.';
    return failing.message ?? `${failing.id}: ${sentenceOf(failing.why)}`;
  }
  if (scope.pointer === '/on/types') {
    return `The test is for ${types.length === 0 ? 'no type' : types.join(', ')}, not for entities of type ${scope.observed.join('')}.`;
  }
  if (scope.why?.outcome === false) return `A condition does not hold: ${sentenceOf(scope.why)}`;
  return 'The entity is soft-deleted, and the conditions do not ask for such entities.';
}

/** What a node that decides comes down to, in words. */
function sentenceOf(node: ExplainedNode): string {
  const { leaf, elements } = node;
  if (leaf !== undefined) {
    const expected = leaf.expected.length === 0 ? '' : ` ${leaf.expected.join(', ')}`;
    const more = leaf.observedCount > maxShown ? `, and ${leaf.observedCount - maxShown} more` : '';
    const found =
      leaf.observed.length === 0 ? 'there is no value' : `found ${leaf.observed.join(', ')}${more}`;
    return `'${leaf.property}' ${leaf.operator}${expected} is ${node.outcome}: ${found}.`;
  }
  if (elements !== undefined) {
    if (elements.selected === 0) return `no element of '${elements.collection}' counts.`;
    const names = elements.shown.map(({ element }) => element).join(', ');
    return `${elements.satisfied} of ${elements.selected} elements of '${elements.collection}' satisfy: see ${names}.`;
  }
  const [first] = node.children;
  return first === undefined ? `'${node.node}' of nothing is ${node.outcome}.` : sentenceOf(first);
}
