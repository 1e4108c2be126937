import type { JsonValue } from '../../aspect/json.ts';
import { isJsonObject } from '../../aspect/json.ts';
import type { ListColumn } from '../../verdict/test-row.ts';
import type { ValueCount, VerdictStore } from '../../verdict/verdict-store.ts';
import { createPace } from '../keeping/pace.ts';
import type { CountedVerdicts } from './count-verdicts.ts';
import type { PreviewGroup, PreviewGroups } from './preview.ts';

/** Groups that are told. */
const groupsMax = 20;

const columns: readonly ListColumn[] = ['platformInstance', 'domains', 'owners'];

/** Counts the verdicts by platform, domain and owner: those that rows have now of the entities that were counted. */
export async function countGroups(verdicts: VerdictStore, counted: CountedVerdicts): Promise<PreviewGroups> {
  const chunks = new Map(
    [...counted.chunks].map(([chunk, { passing, failing }]) => [chunk, [passing, failing]] as const),
  );
  const byColumn = await verdicts.countValues({ columns, chunks });
  const groups: (readonly PreviewGroup[])[] = [];
  for (const [index, column] of columns.entries()) {
    groups.push(await groupsOf(verdicts, column, byColumn[index] ?? []));
  }
  const [platforms = [], domains = [], owners = []] = groups;
  return { platforms, domains, owners };
}

/** Several texts of a column may be about one URN, so all that occur are read before the largest groups are known. */
async function groupsOf(
  verdicts: VerdictStore,
  column: ListColumn,
  counts: readonly ValueCount[],
): Promise<readonly PreviewGroup[]> {
  const ofValue = new Map(
    counts.map(({ value, counts: [passing = 0, failing = 0] }) => [value, { passing, failing }]),
  );
  const sums = new Map<string | undefined, { passing: number; failing: number }>();
  const add = (
    urn: string | undefined,
    count: { readonly passing: number; readonly failing: number } | undefined,
  ): void => {
    if (count === undefined) return;
    const sum = sums.get(urn) ?? { passing: 0, failing: 0 };
    sums.set(urn, { passing: sum.passing + count.passing, failing: sum.failing + count.failing });
  };
  add(undefined, ofValue.get(undefined));
  const pause = createPace();
  for (const { id, text } of await verdicts.dictionary(column)) {
    const count = ofValue.get(id);
    if (count !== undefined) add(urnIn(text), count);
    await pause();
  }
  return largest(sums);
}

function largest(
  sums: ReadonlyMap<string | undefined, { readonly passing: number; readonly failing: number }>,
): readonly PreviewGroup[] {
  return [...sums]
    .map(([urn, { passing, failing }]) => ({ urn, passing, failing }))
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
