import type { AspectReader } from '../../aspect/aspect-store.ts';
import { isUrn, type Urn } from '../../urn/urn.ts';
import { type ChunkVerdicts, type VerdictReader } from '../../verdict/verdict-store.ts';
import { chunkSpan, offsetsIn } from '../../verdict/chunk-set.ts';
import type { Finding } from '../issue.ts';
import type { TestDefinition } from '../predicate.ts';
import { readTests } from '../test-entity.ts';
import { actionFindings } from './check-actions.ts';
import { hasActions, readActingTests } from './test-actions.ts';

/** Entities that are shown where two tests contradict each other. */
const sampleMax = 5;

/**
 * What is wrong with the actions of a definition beside those of the stored tests, with entities that both are for where
 * verdicts of both are kept (A6, A7).
 */
export async function findingsBesideStored(
  definition: TestDefinition,
  text: string,
  reader: Pick<AspectReader, 'entities' | 'readMany'>,
  verdicts: VerdictReader | undefined,
): Promise<readonly Finding[]> {
  if (!hasActions(definition)) return [];
  const subject = { name: 'this test', definition };
  const others = await readActingTests(reader, { text });
  const findings = actionFindings(subject, others);
  if (verdicts === undefined || !findings.some(({ code }) => code === 'MT135')) return findings;
  const own = (await readTests(reader)).find(({ json }) => json === text)?.urn;
  if (own === undefined) return findings;
  const shared = new Map<string, readonly string[]>();
  for (const { name } of others) {
    if (isUrn(name)) shared.set(name, await sharedEntities(verdicts, own, name));
  }
  return actionFindings(subject, others, ({ name }) => shared.get(name) ?? []);
}

/** Some of the entities that both tests are for, as far as verdicts are kept. */
export async function sharedEntities(
  verdicts: VerdictReader,
  left: Urn,
  right: Urn,
): Promise<readonly string[]> {
  const numbers: number[] = [];
  const rights = new Set(await verdicts.chunksOf(right));
  for (const chunk of await verdicts.chunksOf(left)) {
    if (!rights.has(chunk)) continue;
    const kept = await verdicts.verdictsIn(chunk, [left, right]);
    const [ours, theirs] = [scopeOf(kept.get(left)), scopeOf(kept.get(right))];
    for (const offset of ours) if (theirs.has(offset)) numbers.push(chunk * chunkSpan + offset);
    if (numbers.length >= sampleMax) break;
  }
  const urns = await verdicts.urnsOf(numbers.slice(0, sampleMax));
  return [...urns.values()];
}

function scopeOf(kept: ChunkVerdicts | undefined): ReadonlySet<number> {
  if (kept === undefined) return new Set();
  return new Set([kept.passing, kept.failing, kept.exempt].flatMap((set) => [...offsetsIn(set)]));
}
