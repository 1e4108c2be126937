import type { Urn } from '../../urn/urn.ts';
import type { CompiledTest } from '../compile-test.ts';
import { semanticHash } from '../canonical-text.ts';
import { exemptionsMd5 } from '../exemption/exempt-test.ts';
import { leavesOf, predicatesOf } from '../predicate.ts';
import { readsSeries } from '../read-set.ts';
import type { LibraryTest } from '../test-library.ts';
import { addFarReads, type FarReads } from './far-reads.ts';
import { type AnchorProperty, anchorOf, type ScopeAnchor } from './scope-anchor.ts';

export type IndexedTest = LibraryTest & {
  readonly semanticHash: string;
  /** Of its exemptions; '' without any. */
  readonly exemptionsMd5: string;
  /** Time alone may change what it says: an operator on the clock, a window of measurements, or an exemption that begins or ends. */
  readonly readsClock: boolean;
  readonly anchor: ScopeAnchor | undefined;
};

/** Which tests a change may concern, by what they read (metadata-tests specification 3.7, 1, 2 and 4). Active tests only. */
export type TestIndex = {
  readonly tests: ReadonlyMap<Urn, IndexedTest>;
  /** Entity types that are in the scope of some test. */
  readonly types: ReadonlySet<string>;
  /** Tests that read one of the aspects of entities of the type, or `all` tests for the type. */
  near(type: string, aspects: ReadonlySet<string> | 'all'): NearTests;
  readonly far: readonly FarReads<IndexedTest>[];
};

/** Tests that are to be asked: whatever the entity is, or only when it has, or had, a value. */
export type NearTests = {
  readonly free: ReadonlySet<IndexedTest>;
  readonly anchored: readonly AnchoredTests[];
};

export type AnchoredTests = {
  readonly property: AnchorProperty;
  readonly byValue: ReadonlyMap<string, readonly IndexedTest[]>;
};

/** What reads every aspect is in this bucket of a type. */
const everyAspect = '*';
/** All tests for a type are in this one. */
const allTests = '';

type Bucket = {
  readonly free: IndexedTest[];
  readonly anchored: Map<
    string,
    { readonly property: AnchorProperty; readonly byValue: Map<string, IndexedTest[]> }
  >;
};

export function createTestIndex(library: ReadonlyMap<Urn, LibraryTest>): TestIndex {
  const tests = new Map<Urn, IndexedTest>();
  const buckets = new Map<string, Bucket>();
  const far = new Map<string, FarReads<IndexedTest>>();
  const types = new Set<string>();
  for (const [urn, known] of library) {
    if (!known.isActive) continue;
    const test = indexed(known);
    tests.set(urn, test);
    addFarReads(far, test, test.compiled.readSet);
    for (const type of test.compiled.definition.types) {
      types.add(type);
      for (const name of bucketsOf(test)) addTo(bucketAt(buckets, `${type}\n${name}`), test);
    }
  }
  return {
    tests,
    types,
    far: [...far.values()],
    near(type, aspects) {
      const names = aspects === 'all' ? [allTests] : [everyAspect, ...aspects];
      const found = names.flatMap((name) => buckets.get(`${type}\n${name}`) ?? []);
      return {
        free: new Set(found.flatMap(({ free }) => free)),
        anchored: found.flatMap(({ anchored }) => [...anchored.values()]),
      };
    },
  };
}

function bucketsOf({ compiled: { readSet } }: IndexedTest): readonly string[] {
  return [allTests, ...(readSet.everything ? [everyAspect] : []), ...readSet.aspects];
}

function bucketAt(buckets: Map<string, Bucket>, key: string): Bucket {
  const bucket = buckets.get(key) ?? { free: [], anchored: new Map() };
  buckets.set(key, bucket);
  return bucket;
}

function addTo({ free, anchored }: Bucket, test: IndexedTest): void {
  const { anchor } = test;
  if (anchor === undefined) {
    free.push(test);
    return;
  }
  const { property, values } = anchor;
  const on = anchored.get(property.path) ?? { property, byValue: new Map<string, IndexedTest[]>() };
  anchored.set(property.path, on);
  for (const value of values) {
    const tests = on.byValue.get(value) ?? [];
    on.byValue.set(value, tests);
    tests.push(test);
  }
}

/** A test is often the same as before when another one changed. */
const derived = new WeakMap<
  CompiledTest,
  Pick<IndexedTest, 'semanticHash' | 'exemptionsMd5' | 'readsClock' | 'anchor'>
>();

function indexed(test: LibraryTest): IndexedTest {
  let facts = derived.get(test.compiled);
  if (facts === undefined) {
    const { definition } = test.compiled;
    const onClock = predicatesOf(definition).some((predicate) =>
      [...leavesOf(predicate)].some(({ operator }) => clockOperators.has(operator)),
    );
    facts = {
      semanticHash: semanticHash(definition),
      exemptionsMd5: exemptionsMd5(definition, test.exemptions),
      anchor: anchorOf(definition),
      readsClock: onClock || readsSeries(test.compiled.readSet) || test.exemptions.length > 0,
    };
    derived.set(test.compiled, facts);
  }
  return { ...test, ...facts };
}

/** Operators whose answer depends on the time of evaluation. */
export const clockOperators: ReadonlySet<string> = new Set(['newer_than', 'older_than']);
