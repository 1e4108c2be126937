import type { AspectReader } from '../../aspect/aspect-store.ts';
import { isUrn, type Urn, urnType } from '../../urn/urn.ts';
import { chunkSpan, offsetsIn } from '../../verdict/chunk-set.ts';
import type { VerdictReader } from '../../verdict/verdict-store.ts';
import { compileTest, type CompiledTest } from '../compile-test.ts';
import type { FactSource } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { loadFacts } from '../load-facts.ts';
import type { TestDefinition } from '../predicate.ts';
import { actionFindings } from './check-actions.ts';
import { hasActions, readActingTests } from './test-actions.ts';

/** What is known beside a definition that is validated. */
export type BesideStored = {
  /** The stored test that the definition is for: it shall take its place, so the two are not compared. */
  readonly urn?: Urn;
  /** For entities that show where two tests contradict each other; none are shown without. */
  readonly sampling?: {
    readonly verdicts: VerdictReader;
    readonly now: number;
    /** Whether whoever asks may see an entity. */
    readonly canSee: (urn: Urn) => boolean;
  };
};

/**
 * What is wrong with the actions of a definition beside those of the stored tests, with entities that both are for (A6, A7).
 * A stored test with exactly this text is this test.
 */
export async function findingsBesideStored(
  definition: TestDefinition,
  text: string,
  reader: FactSource & Pick<AspectReader, 'entities'>,
  { urn, sampling }: BesideStored,
): Promise<readonly Finding[]> {
  if (!hasActions(definition)) return [];
  const subject = { name: urn ?? 'this test', definition };
  const others = await readActingTests(reader, { text, ...(urn === undefined ? {} : { urn }) });
  const findings = actionFindings(subject, others);
  if (sampling === undefined) return findings;
  if (!findings.some(({ code }) => code === 'MT135')) return findings;
  const compiled = compileTest(definition);
  const shared = new Map<string, readonly string[]>();
  for (const { name } of others) {
    if (isUrn(name)) shared.set(name, await sharedEntities(sampling, reader, compiled, name));
  }
  return actionFindings(subject, others, ({ name }) => shared.get(name) ?? []);
}

/** Entities that are shown where two tests contradict each other, and how many are looked at for them. */
const sampleMax = 5;
const lookedAtMax = 500;

/** Some of the entities that the definition and a test whose verdicts are kept are both for. */
async function sharedEntities(
  { verdicts, now, canSee }: NonNullable<BesideStored['sampling']>,
  source: FactSource,
  compiled: CompiledTest,
  other: Urn,
): Promise<readonly string[]> {
  const shared: string[] = [];
  let left = lookedAtMax;
  for (const chunk of await verdicts.chunksOf(other)) {
    const kept = (await verdicts.verdictsIn(chunk, [other])).get(other);
    if (kept === undefined) continue;
    const offsets = [kept.passing, kept.failing, kept.exempt].flatMap((set) => [...offsetsIn(set)]);
    const numbers = offsets.slice(0, left).map((offset) => chunk * chunkSpan + offset);
    left -= numbers.length;
    for (const entity of (await verdicts.urnsOf(numbers)).values()) {
      if (!compiled.definition.types.includes(urnType(entity)) || !canSee(entity)) continue;
      const facts = await loadFacts(source, entity, compiled.readSet);
      const loaded = facts.get(entity);
      const verdict = loaded === undefined ? 'NONE' : compiled.evaluate(loaded, facts, now).verdict;
      if (verdict === 'PASS' || verdict === 'FAIL') shared.push(entity);
      if (shared.length >= sampleMax) return shared;
    }
    if (left <= 0) return shared;
  }
  return shared;
}
