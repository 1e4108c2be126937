import { mayBeUnknown, type RowQuestion } from '../../verdict/row-predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import type { FactSource } from '../facts.ts';
import { type ForEach, type Leaf, type Predicate, predicatesOf, type TestDefinition } from '../predicate.ts';
import { columnsRead, createRowCompiler, type RowCompiler } from '../rows/compile-row-question.ts';
import type { Dictionary } from '../rows/text-judge.ts';

/** A test as a question to the rows of one entity type. */
export type AskedRows = {
  readonly question: RowQuestion;
  /** JSON pointers to the nodes that rows cannot answer, or not for every entity. */
  readonly beyondRows: readonly string[];
};

/** The test as questions, by entity type; true of the texts of rows as they are now. */
export async function askRows(
  verdicts: VerdictStore,
  source: FactSource,
  definition: TestDefinition,
  types: readonly string[],
): Promise<ReadonlyMap<string, AskedRows>> {
  const dictionaries = new Map<ListColumn, Dictionary>();
  for (const column of columnsRead(definition)) dictionaries.set(column, await verdicts.dictionary(column));
  const asked = new Map<string, AskedRows>();
  for (const type of types) {
    const compiler = createRowCompiler(type, dictionaries, source);
    const question = await compiler.question(definition);
    const isOpen = [question.scope, ...question.rules].some(mayBeUnknown);
    asked.set(type, { question, beyondRows: isOpen ? await openNodes(compiler, definition) : [] });
  }
  return asked;
}

async function openNodes(compiler: RowCompiler, definition: TestDefinition): Promise<readonly string[]> {
  const pointers = new Set<string>();
  for (const predicate of decidingPredicates(definition)) {
    for (const node of nodesIn(predicate)) {
      if (mayBeUnknown(await compiler.predicate(node))) pointers.add(node.pointer);
    }
  }
  return [...pointers];
}

function decidingPredicates(definition: TestDefinition): readonly Predicate[] {
  const rules = definition.rules.filter(({ severity }) => severity === 'error');
  return predicatesOf({ ...definition, rules });
}

/** Leaves and `forEach`, without what is inside them. */
function* nodesIn(predicate: Predicate): Generator<Leaf | ForEach> {
  if (predicate.kind === 'Leaf' || predicate.kind === 'ForEach') yield predicate;
  else for (const operand of predicate.operands) yield* nodesIn(operand);
}
