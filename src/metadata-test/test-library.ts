import { isDeepStrictEqual } from 'node:util';
import type { AspectReader } from '../aspect/aspect-store.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import { compileTest } from './compile-test.ts';
import type { CandidateTest } from './evaluate-tests.ts';
import { withExemptions } from './exemption/exempt-test.ts';
import type { Exemption } from './exemption/exemption.ts';
import { type KnownTest, readTests, readTestsOf } from './test-entity.ts';
import { readTestDefinition } from './test-definition.ts';
import { definitionMd5 } from './canonical-text.ts';

export type LibraryTest = CandidateTest & {
  readonly definitionMd5: string;
  /** Inactive tests are evaluated only when they are named (specification 3.14). */
  readonly isActive: boolean;
  /** All of them, in whatever state; `compiled` knows those that were approved. */
  readonly exemptions: readonly Exemption[];
};

/** What is stored of a test that makes it another one. */
const testAspects: readonly string[] = ['testKey', 'testInfo', 'testExemptions'];

/** Stored tests, compiled. */
export type TestLibrary = {
  /** All tests as of now; those whose definition cannot be read are left out (contract section 9). */
  all(): Promise<ReadonlyMap<Urn, LibraryTest>>;
  /** The same, and which active tests are stored with a definition that cannot be read. */
  shelves(): Promise<LibraryShelves>;
};

export type LibraryShelves = {
  readonly tests: ReadonlyMap<Urn, LibraryTest>;
  readonly unreadable: ReadonlySet<Urn>;
};

/** More changes than this since the last look are not worth reading one by one. */
const changesReadMax = 5_000;

type LibraryReader = Pick<AspectReader, 'entities' | 'readMany' | 'changes' | 'lastSequence'>;

/** One library for each store, however many requests ask for it. */
export function testLibraryOf(reader: LibraryReader): TestLibrary {
  let library = libraries.get(reader);
  if (library === undefined) {
    library = createTestLibrary(reader);
    libraries.set(reader, library);
  }
  return library;
}

const libraries = new WeakMap<LibraryReader, TestLibrary>();

/**
 * Keeps the compiled tests until the change log says that a test changed: by reading the log itself, so that it holds
 * for every store and however many nodes write. A saved test counts from the next evaluation on, and is compiled alone.
 */
export function createTestLibrary(reader: LibraryReader): TestLibrary {
  let known: Promise<LibraryShelves> | undefined;
  let upTo = 0;

  /** Tests that changed since the last look; `undefined`: too much happened to tell. */
  async function changedTests(sequence: number): Promise<readonly Urn[] | undefined> {
    if (sequence - upTo > changesReadMax) return undefined;
    const changes = await reader.changes({ after: upTo, count: changesReadMax });
    const changed = changes.filter(
      ({ urn, aspect }) => urnType(urn) === 'test' && testAspects.includes(aspect),
    );
    return [...new Set(changed.map(({ urn }) => urn))];
  }

  async function loadAll(before: LibraryShelves | undefined): Promise<LibraryShelves> {
    const shelves = { tests: new Map<Urn, LibraryTest>(), unreadable: new Set<Urn>() };
    for (const test of await readTests(reader)) shelve(shelves, test, before);
    return shelves;
  }

  async function loadChanged(before: LibraryShelves, urns: readonly Urn[]): Promise<LibraryShelves> {
    const shelves = { tests: new Map(before.tests), unreadable: new Set(before.unreadable) };
    const stored = await readTestsOf(reader, urns);
    for (const urn of urns) {
      shelves.tests.delete(urn);
      shelves.unreadable.delete(urn);
    }
    for (const test of stored) shelve(shelves, test, before);
    return shelves;
  }

  function keep(loading: Promise<LibraryShelves>): void {
    known = loading;
    loading.catch(() => {
      if (known === loading) known = undefined;
    });
  }

  async function shelves(): Promise<LibraryShelves> {
    const sequence = await reader.lastSequence();
    const changed = known === undefined || sequence === upTo ? [] : await changedTests(sequence);
    // Whatever was begun meanwhile comes first.
    const before = known;
    const next =
      before === undefined
        ? loadAll(undefined)
        : changed === undefined
          ? before.then(loadAll)
          : changed.length > 0
            ? before.then((earlier) => loadChanged(earlier, changed))
            : before;
    if (next !== before) keep(next);
    upTo = sequence;
    return next;
  }

  return { all: async () => (await shelves()).tests, shelves };
}

/** Puts a stored test where it belongs; what was compiled before is taken over as long as it is the same. */
function shelve(
  into: { readonly tests: Map<Urn, LibraryTest>; readonly unreadable: Set<Urn> },
  { urn, json, isActive, exemptions }: KnownTest,
  before: LibraryShelves | undefined,
): void {
  if (json === null) return;
  const md5 = definitionMd5(json);
  const earlier = before?.tests.get(urn);
  if (earlier?.definitionMd5 === md5 && isDeepStrictEqual(earlier.exemptions, exemptions)) {
    into.tests.set(urn, { ...earlier, isActive });
    return;
  }
  const read = readTestDefinition(json);
  if (!read.valid) {
    // Nobody asks what an inactive one said.
    if (isActive) into.unreadable.add(urn);
    return;
  }
  const compiled = withExemptions(compileTest(read.definition), exemptions);
  into.tests.set(urn, { urn, compiled, definitionMd5: md5, isActive, exemptions });
}
