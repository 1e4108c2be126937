import type { AspectReader } from '../../aspect/aspect-store.ts';
import type { EntityAspects } from '../../aspect/aspect.ts';
import { entityTypes } from '../../entity/entity-registry.ts';
import { type Urn, urnType } from '../../urn/urn.ts';
import { chunkOf, chunkSpan, offsetsIn } from '../../verdict/chunk-set.ts';
import type { TestRow } from '../../verdict/test-row.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import { isTestable } from '../property-catalogue.ts';
import { rowAspects, testRowOf } from '../rows/test-row-of.ts';
import type { ChangedEntity } from './consider-changes.ts';
import { rowsRecord } from './keeper-place.ts';
import type { Kept, KeeperWork } from './kept-state.ts';
import type { Pace } from './pace.ts';

/** Entities whose rows are read and stored together. */
const sliceSize = 250;

/** Types whose entities have rows. */
function typesWithRows(): readonly string[] {
  return entityTypes()
    .map(({ name }) => name)
    .filter(isTestable);
}

/** The changed entities whose rows may be others now; those that are gone are among them. */
export function staleRows(entities: Iterable<ChangedEntity>): readonly Urn[] {
  return [...entities]
    .filter(({ type, aspects, isExistence }) => {
      const derivedFrom = rowAspects(type);
      return derivedFrom.length > 0 && (isExistence || derivedFrom.some((name) => aspects.has(name)));
    })
    .map(({ urn }) => urn);
}

/** Rows as the aspects say that are stored now, of entities that exist. */
export async function rowsOf(
  reader: Pick<AspectReader, 'readMany'>,
  urns: readonly Urn[],
  pace: Pace,
): Promise<readonly TestRow[]> {
  const rows: TestRow[] = [];
  for (const [type, ofType] of byType(urns)) {
    for (let start = 0; start < ofType.length; start += sliceSize) {
      const read = await reader.readMany(ofType.slice(start, start + sliceSize), rowAspects(type));
      for (const [urn, aspects] of read) {
        rows.push(rowOf(urn, type, aspects));
        await pace();
      }
    }
  }
  return rows;
}

/** Entities of one chunk that have rows, in slices. */
async function* entitiesOfChunk(
  reader: Pick<VerdictReader, 'entitiesIn' | 'urnsOf'>,
  chunk: number,
): AsyncGenerator<readonly Urn[]> {
  for (const type of typesWithRows()) {
    const offsets = [...offsetsIn(await reader.entitiesIn(chunk, type))];
    for (let start = 0; start < offsets.length; start += sliceSize) {
      const numbers = offsets.slice(start, start + sliceSize).map((offset) => chunk * chunkSpan + offset);
      yield [...(await reader.urnsOf(numbers)).values()];
    }
  }
}

function rowOf(urn: Urn, type: string, aspects: EntityAspects): TestRow {
  const removed = aspects.get('status')?.body['removed'] === true;
  return testRowOf({ urn, type, aspects, exists: true, removed });
}

function byType(urns: readonly Urn[]): ReadonlyMap<string, readonly Urn[]> {
  return Map.groupBy(urns, urnType);
}

/** Makes the rows of one more chunk; false when all are there. `interlude` lets what came meanwhile go first. */
export async function buildRows(
  { store, writer, pace }: KeeperWork,
  known: Kept,
  interlude: (known: Kept) => Promise<void>,
): Promise<boolean> {
  const { verdicts } = store;
  const { rows } = known;
  if (rows.isComplete) return false;
  const chunk = rows.chunks;
  known.rowChunks = chunkOf(await verdicts.largestNumber()) + 1;
  if (chunk < known.rowChunks) {
    for await (const urns of entitiesOfChunk(verdicts, chunk)) {
      const made = await rowsOf(store, urns, pace);
      await writer.write({ sequence: known.sequence, cause: 'change', rows: made });
      await interlude(known);
    }
    known.rows = { ...rows, chunks: chunk + 1 };
  } else known.rows = { ...rows, isComplete: true };
  await writer.write({
    sequence: known.sequence,
    cause: 'change',
    records: [rowsRecord(known.rows)],
  });
  return true;
}
