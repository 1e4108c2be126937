import type { RowPredicate, RowQuestion } from '../../verdict/row-predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import { compilePredicate, mentionsRemoved } from '../compile-test.ts';
import type { FactSource, LoadedEntity } from '../facts.ts';
import { type Leaf, type Predicate, predicatesOf, type TestDefinition } from '../predicate.ts';
import { carries } from '../property-catalogue.ts';
import { mergesSiblings } from '../read-keys.ts';
import { columnFor } from './column-choice.ts';
import { closedOutcome } from './closed-outcome.ts';
import { descriptionQuestion } from './description-question.ts';
import { isForeign, limitedQuestion } from './limited-question.ts';
import { listQuestion } from './list-question.ts';
import type { Node } from './node-readings.ts';
import { upstreamsQuestion } from './number-question.ts';
import { profileBound } from './profile-readings.ts';
import { all, choose, either, known, not, unknown } from './row-answers.ts';
import { schemaQuestion } from './schema-question.ts';
import { type Dictionary, entitiesOf, judgeOf, type TextJudge } from './text-judge.ts';

/** Turns tests into questions about the rows of one entity type. */
export type RowCompiler = {
  /**
   * The scope and the rules of severity `error`, in their order. Where a question is not unknown, its answer is that of
   * the closure; only an entity for which the closure needs more steps than a test may take may have an answer here.
   */
  question(definition: TestDefinition): Promise<RowQuestion>;
  /** One predicate of a test. `unknown` wherever the test merges siblings, which only the definition says. */
  predicate(predicate: Predicate): Promise<RowPredicate>;
};

/**
 * Prepares compiling. `dictionaries` are those of `columnsRead`; a column without its dictionary is not asked. `source` is
 * where entities behind the texts are read from, such as the parents of a glossary term; without, what asks about them is
 * unknown. What is compiled is true of the texts and of those entities as they were then: compile again for each scan.
 */
export function createRowCompiler(
  type: string,
  dictionaries: ReadonlyMap<ListColumn, Dictionary>,
  source?: FactSource,
): RowCompiler {
  const texts = new Map<ListColumn, { entities: readonly LoadedEntity[]; ids: readonly number[] }>();

  async function judge(column: ListColumn, node: Node): Promise<TextJudge | undefined> {
    const dictionary = dictionaries.get(column);
    if (dictionary === undefined) return undefined;
    let known = texts.get(column);
    if (known === undefined) {
      known = { entities: entitiesOf(column, type, dictionary), ids: dictionary.map(({ id }) => id) };
      texts.set(column, known);
    }
    return await judgeOf(column, known.entities, known.ids, node, source);
  }

  async function predicate(node: Predicate): Promise<RowPredicate> {
    switch (node.kind) {
      case 'And':
        return all(...(await every(node.operands)));
      case 'Or':
        return either(...(await every(node.operands)));
      case 'None':
        return not(either(...(await every(node.operands))));
      default:
        return await nodeQuestion(node);
    }
  }

  async function every(operands: readonly Predicate[]): Promise<readonly RowPredicate[]> {
    const compiled: RowPredicate[] = [];
    for (const operand of operands) compiled.push(await predicate(operand));
    return compiled;
  }

  async function nodeQuestion(node: Node): Promise<RowPredicate> {
    const plain = plainQuestion(node, type);
    if (plain !== undefined) return plain;
    const choice = columnFor(node);
    if (choice !== undefined) {
      const texts = await judge(choice.column, node);
      return texts === undefined ? limitedQuestion(node, type) : listQuestion(node, type, choice, texts);
    }
    const bound = profileBound(node);
    const texts = bound && (await judge('columnProfiles', bound));
    if (bound !== undefined && texts !== undefined) {
      return choose(texts.anyWhere(compilePredicate(bound)), unknown, closedOutcome(node, type));
    }
    return limitedQuestion(node, type);
  }

  return {
    predicate,
    async question(definition) {
      if (!definition.types.includes(type)) return { scope: known(false), rules: [] };
      // A row is about one entity alone (S18).
      if (mergesSiblings(definition) && carries(type, 'siblings'))
        return { scope: unknown, rules: [unknown] };
      const conditions = await predicate(definition.conditions);
      const removal: RowPredicate = { kind: 'removed' };
      const scope = mentionsRemoved(definition.conditions) ? conditions : all(not(removal), conditions);
      if (scope.kind === 'known' && !scope.value) return { scope, rules: [] };
      const errors = definition.rules.filter(({ severity }) => severity === 'error');
      return { scope, rules: await every(errors.map((rule) => rule.predicate)) };
    },
  };
}

/** One test as a question; see `createRowCompiler`. */
export async function compileRowQuestion(
  definition: TestDefinition,
  type: string,
  dictionaries: ReadonlyMap<ListColumn, Dictionary>,
  source?: FactSource,
): Promise<RowQuestion> {
  return await createRowCompiler(type, dictionaries, source).question(definition);
}

/** The columns whose dictionaries compiling the test needs. */
export function columnsRead(definition: TestDefinition): ReadonlySet<ListColumn> {
  const columns = new Set<ListColumn>();
  for (const node of predicatesOf(definition).flatMap((predicate) => [...nodesIn(predicate)])) {
    const column =
      columnFor(node)?.column ?? (profileBound(node) === undefined ? undefined : 'columnProfiles');
    const isPlain = definition.types.every((type) => plainQuestion(node, type) !== undefined);
    if (column !== undefined && !isPlain) columns.add(column);
  }
  return columns;
}

/** Leaves and `forEach`, without what is inside them. */
function* nodesIn(predicate: Predicate): Generator<Node> {
  if (predicate.kind === 'Leaf' || predicate.kind === 'ForEach') yield predicate;
  else for (const operand of predicate.operands) yield* nodesIn(operand);
}

/** What needs no dictionary; `undefined` for other nodes. */
function plainQuestion(node: Node, type: string): RowPredicate | undefined {
  const [first] = node.kind === 'Leaf' ? node.path.steps : node.collection.steps;
  if (isForeign(node, type)) return closedOutcome(node, type);
  if (node.kind === 'ForEach') return schemaQuestion(node, type);
  if (first?.kind === 'Virtual' && first.name === 'entityType') return closedOutcome(node, type);
  return (
    removalQuestion(node, type) ??
    upstreamsQuestion(node) ??
    descriptionQuestion(node, type) ??
    schemaQuestion(node, type)
  );
}

/** `status.removed`: a row says whether it is true, but not whether it is false or not said (S8). */
function removalQuestion(leaf: Leaf, type: string): RowPredicate | undefined {
  if (leaf.path.text !== 'status.removed') return undefined;
  const outcome = (removed: boolean): RowPredicate =>
    closedOutcome(leaf, type, { name: 'status', body: { removed } });
  const [absent, no] = [closedOutcome(leaf, type), outcome(false)];
  const isSame = absent.kind === 'known' && no.kind === 'known' && absent.value === no.value;
  return choose({ kind: 'removed' }, outcome(true), isSame ? no : unknown);
}
