import { type Findings, report } from '../issue.ts';
import type { TestDefinition } from '../predicate.ts';
import { type ActionEffect, type ActionSide, actionSides, effectsOf } from './effects.ts';
import { influencesOn } from './influence.ts';
import type { ActingTest } from './test-actions.ts';

/** A test with one of its verdicts: whoever arrives there has its actions done to it. */
type Node = { readonly test: ActingTest; readonly side: ActionSide };

/** What the actions of one node do to another: bring entities to its verdict, or away from it. */
type Influence = {
  readonly to: Node;
  readonly brings: boolean;
  readonly takes: boolean;
  readonly effect: ActionEffect;
  /** Of the leaf that changes. */
  readonly pointer: string;
};

/**
 * Refuses actions that come back to undo the verdict that they were taken for (A6, MT134): straight away, because a test
 * reads what its own actions write, or round through other tests. Reinforcing a verdict is no cycle, and neither is a failing
 * entity that is repaired and passes from then on.
 */
export function reportCycles(subject: ActingTest, others: readonly ActingTest[], findings: Findings): void {
  const graph = new InfluenceGraph([subject, ...others]);
  for (const origin of graph.nodes) {
    const cycle = graph.undoing(origin, subject);
    if (cycle === undefined) continue;
    const own = cycle.find(({ from }) => from.test === subject) ?? cycle[0];
    if (own === undefined) continue;
    report(findings, 'MT134', own.influence.effect.pointer, messageOf(origin, cycle));
    return;
  }
}

type Step = { readonly from: Node; readonly influence: Influence };

class InfluenceGraph {
  readonly nodes: readonly Node[];
  readonly #effects: ReadonlyMap<ActingTest, readonly ActionEffect[]>;
  readonly #influences = new Map<Node, readonly Influence[]>();

  constructor(tests: readonly ActingTest[]) {
    this.#effects = new Map(tests.map((test) => [test, effectsOf(test.definition)]));
    this.nodes = tests.flatMap((test) =>
      actionSides
        .filter((side) => this.#effects.get(test)?.some((effect) => effect.side === side))
        .map((side) => ({ test, side })),
    );
  }

  /** The shortest way from a node through others that ends by taking entities away from it, and leads through `subject`. */
  undoing(origin: Node, subject: ActingTest): readonly Step[] | undefined {
    const ways = new Map<string, readonly Step[]>();
    let frontier: readonly {
      readonly node: Node;
      readonly way: readonly Step[];
      readonly isThrough: boolean;
    }[] = [{ node: origin, way: [], isThrough: origin.test === subject }];
    while (frontier.length > 0) {
      const next: { node: Node; way: readonly Step[]; isThrough: boolean }[] = [];
      for (const { node, way, isThrough } of frontier) {
        for (const influence of this.#influencesOf(node)) {
          const longer = [...way, { from: node, influence }];
          if (influence.to === origin && influence.takes && isThrough) return longer;
          if (!influence.brings) continue;
          const passes = isThrough || influence.to.test === subject;
          const key = `${this.nodes.indexOf(influence.to)} ${passes}`;
          if (ways.has(key)) continue;
          ways.set(key, longer);
          next.push({ node: influence.to, way: longer, isThrough: passes });
        }
      }
      frontier = next;
    }
    return undefined;
  }

  #influencesOf(node: Node): readonly Influence[] {
    let influences = this.#influences.get(node);
    if (influences === undefined) {
      const effects = this.#effects.get(node.test)?.filter(({ side }) => side === node.side) ?? [];
      influences = this.nodes.flatMap((to) => effects.flatMap((effect) => influenceOf(node, effect, to)));
      this.#influences.set(node, influences);
    }
    return influences;
  }
}

function influenceOf(from: Node, effect: ActionEffect, to: Node): readonly Influence[] {
  const written = from.test.definition.types;
  const { types, conditions } = to.test.definition;
  const found: Influence[] = [];
  for (const { up, down, pointer } of influencesOn(conditions, effect, written, types)) {
    found.push({ to, brings: up, takes: down, effect, pointer });
  }
  for (const predicate of decisive(to.test.definition)) {
    for (const { up, down, pointer } of influencesOn(predicate, effect, written, types)) {
      // A failing entity that passes from then on is repaired: that is what the action is for.
      if (to.side === 'failing') found.push({ to, brings: down, takes: false, effect, pointer });
      else found.push({ to, brings: up, takes: down, effect, pointer });
    }
  }
  return found.filter(({ brings, takes }) => brings || takes);
}

function decisive(definition: TestDefinition): readonly TestDefinition['conditions'][] {
  return definition.rules.filter(({ severity }) => severity === 'error').map(({ predicate }) => predicate);
}

function messageOf(origin: Node, cycle: readonly Step[]): string {
  const [only] = cycle;
  const says = (step: Step): string =>
    `'${step.influence.effect.action}' of ${step.from.test.name} (${step.influence.effect.pointer}) changes ${step.influence.pointer} of ${step.influence.to.test.name}`;
  const verdict = origin.side === 'passing' ? 'passes' : 'fails';
  const advice =
    'Ask for another value than the actions write, or leave one of the actions out; a time is better asked of __lastObserved.';
  if (cycle.length === 1 && only !== undefined) {
    return `Actions form a cycle: ${says(only)}, so what ${verdict} no longer does once it was acted upon. ${advice}`;
  }
  return `Actions form a cycle: ${cycle.map(says).join('; ')}. ${advice}`;
}
