import type { RowPredicate, RowQuestion } from '../../verdict/row-predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import type { RowScan, VerdictStore } from '../../verdict/verdict-store.ts';
import type { FactSource } from '../facts.ts';
import { leavesOf, type Predicate, type TestDefinition } from '../predicate.ts';
import { columnsRead, createRowCompiler, type RowCompiler } from '../rows/compile-row-question.ts';
import type { IndexedTest } from './test-index.ts';
import { clockOperators } from './test-index.ts';

/** A scan over the rows of one entity type, with the tests that are asked, in the order of the answers. */
export type TypeScan = {
  readonly type: string;
  readonly tests: readonly IndexedTest[];
  readonly scan: RowScan;
};

type Dictionaries = ReadonlyMap<ListColumn, Awaited<ReturnType<VerdictStore['dictionary']>>>;

/** Prepares one scan for each entity type that the tests are for. True of the texts and entities behind them as they are now. */
export async function prepareScans(
  verdicts: VerdictStore,
  source: FactSource,
  tests: readonly IndexedTest[],
): Promise<readonly TypeScan[]> {
  const columns = new Set(tests.flatMap(({ compiled }) => [...columnsRead(compiled.definition)]));
  const dictionaries: Dictionaries = new Map(
    await Promise.all(
      [...columns].map(async (column) => [column, await verdicts.dictionary(column)] as const),
    ),
  );
  const scans: TypeScan[] = [];
  for (const type of new Set(tests.flatMap(({ compiled }) => compiled.definition.types))) {
    const ofType = tests.filter(({ compiled }) => compiled.definition.types.includes(type));
    const compiler = createRowCompiler(type, dictionaries, source);
    const questions: RowQuestion[] = [];
    for (const { compiled } of ofType) questions.push(await questionOf(compiler, compiled.definition));
    scans.push({ type, tests: ofType, scan: await verdicts.prepareScan(type, questions) });
  }
  return scans;
}

const unknown: RowPredicate = { kind: 'unknown' };

/** What is asked of the clock is left to the closures, which also say when to ask again. */
async function questionOf(compiler: RowCompiler, definition: TestDefinition): Promise<RowQuestion> {
  if (onClock(definition.conditions)) return { scope: unknown, rules: [unknown] };
  if (!definition.rules.some(({ predicate }) => onClock(predicate))) return compiler.question(definition);
  const { scope } = await compiler.question({ ...definition, rules: [] });
  return { scope, rules: [unknown] };
}

function onClock(predicate: Predicate): boolean {
  return [...leavesOf(predicate)].some(({ operator }) => clockOperators.has(operator));
}
