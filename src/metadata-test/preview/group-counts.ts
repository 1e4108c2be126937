import type { JsonValue } from '../../aspect/json.ts';
import { isJsonObject } from '../../aspect/json.ts';
import type { Urn } from '../../urn/urn.ts';
import { chunkSpan, hasOffset, offsetsIn } from '../../verdict/chunk-set.ts';
import type { RowQuestion } from '../../verdict/row-predicate.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import type { VerdictStore } from '../../verdict/verdict-store.ts';
import type { ChunkOutcome, CountedVerdicts } from './count-verdicts.ts';
import type { PreviewGroup, PreviewGroups } from './preview.ts';

/** Groups that are told. */
const groupsMax = 20;
const pageSize = 1_000;

const columnOf = { platforms: 'platformInstance', domains: 'domains', owners: 'owners' } as const satisfies {
  readonly [group in keyof PreviewGroups]: ListColumn;
};

type Sums = Map<string | undefined, { passing: number; failing: number }>;

/**
 * Counts the same verdicts by platform, domain and owner: what rows decide is counted by the store, the rest from the rows
 * of the entities that were evaluated.
 */
export async function countGroups(
  verdicts: VerdictStore,
  questions: ReadonlyMap<string, RowQuestion>,
  counted: CountedVerdicts,
): Promise<PreviewGroups> {
  const sums = { platforms: newSums(), domains: newSums(), owners: newSums() };
  for (const [name, column] of entriesOf(columnOf)) {
    const texts = new Map((await verdicts.dictionary(column)).map(({ id, text }) => [id, text]));
    for (const [entityType, { scope, rules }] of questions) {
      const rows = await verdicts.tally({ entityType, scope, unknown: false, rules, groupBy: column });
      for (const { group, rules: answers, count } of rows) {
        // What rows leave open was evaluated, and is counted below.
        if (answers.includes(null)) continue;
        const text = group === undefined ? undefined : texts.get(group);
        addTo(sums[name], text === undefined ? undefined : urnIn(text), !answers.includes(false), count);
      }
    }
  }
  for (const [chunk, outcome] of counted.chunks) await addEvaluated(verdicts, chunk, outcome, sums);
  return {
    platforms: largest(sums.platforms),
    domains: largest(sums.domains),
    owners: largest(sums.owners),
  };
}

/** What was evaluated is added; what turned out to be exempt, or was given up, is taken out again. */
async function addEvaluated(
  verdicts: VerdictStore,
  chunk: number,
  { evaluated, passing, failing, excusable }: ChunkOutcome,
  sums: { readonly [group in keyof PreviewGroups]: Sums },
): Promise<void> {
  const changes: { readonly number: number; readonly passes: boolean; readonly count: number }[] = [];
  const change = (offset: number, passes: boolean, count: number): void => {
    changes.push({ number: chunk * chunkSpan + offset, passes, count });
  };
  for (const offset of offsetsIn(evaluated)) {
    if (hasOffset(passing, offset)) change(offset, true, 1);
    if (hasOffset(failing, offset)) change(offset, false, 1);
  }
  for (const offset of offsetsIn(excusable)) {
    if (!hasOffset(failing, offset)) change(offset, false, -1);
  }
  for (let start = 0; start < changes.length; start += pageSize) {
    const page = changes.slice(start, start + pageSize);
    const urns = await verdicts.urnsOf(page.map(({ number }) => number));
    const rows = await verdicts.rows([...urns.values()]);
    for (const { number, passes, count } of page) {
      const urn: Urn | undefined = urns.get(number);
      const row = urn === undefined ? undefined : rows.get(urn);
      if (row === undefined) continue;
      for (const [name, column] of entriesOf(columnOf)) {
        const groups = new Set(row.lists[column].map(urnIn));
        if (groups.size === 0) groups.add(undefined);
        for (const group of groups) addTo(sums[name], group, passes, count);
      }
    }
  }
}

function newSums(): Sums {
  return new Map();
}

function addTo(sums: Sums, group: string | undefined, passes: boolean, count: number): void {
  let sum = sums.get(group);
  if (sum === undefined) {
    sum = { passing: 0, failing: 0 };
    sums.set(group, sum);
  }
  if (passes) sum.passing += count;
  else sum.failing += count;
}

function largest(sums: Sums): readonly PreviewGroup[] {
  return [...sums]
    .map(([urn, { passing, failing }]) => ({ urn, passing, failing }))
    .filter(({ passing, failing }) => passing + failing > 0)
    .toSorted(
      (left, right) =>
        right.failing - left.failing ||
        right.passing - left.passing ||
        ((left.urn ?? '') < (right.urn ?? '') ? -1 : 1),
    )
    .slice(0, groupsMax);
}

/** A text of a column is JSON: a URN, or an element that holds one. */
function urnIn(text: string): string | undefined {
  const value = JSON.parse(text) as JsonValue;
  const urn = isJsonObject(value) ? (value['platform'] ?? value['owner'] ?? value['urn']) : value;
  return typeof urn === 'string' ? urn : undefined;
}

/** `Object.entries` with the names as they are declared. */
function entriesOf<Name extends string, Value>(
  record: Readonly<Record<Name, Value>>,
): readonly (readonly [Name, Value])[] {
  return Object.entries(record) as [Name, Value][];
}
