import type { AspectReader } from '../aspect/aspect-store.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import { compileTest } from './compile-test.ts';
import type { CandidateTest } from './evaluate-tests.ts';
import { withExemptions } from './exemption/exempt-test.ts';
import type { Exemption } from './exemption/exemption.ts';
import { readTests } from './test-entity.ts';
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
 * for every store and however many nodes write. A saved test counts from the next evaluation on.
 */
export function createTestLibrary(reader: LibraryReader): TestLibrary {
  let known: Promise<ReadonlyMap<Urn, LibraryTest>> | undefined;
  let upTo = 0;

  async function isChanged(sequence: number): Promise<boolean> {
    if (sequence - upTo > changesReadMax) return true;
    const changes = await reader.changes({ after: upTo, count: changesReadMax });
    return changes.some(({ urn, aspect }) => urnType(urn) === 'test' && testAspects.includes(aspect));
  }

  async function load(): Promise<ReadonlyMap<Urn, LibraryTest>> {
    const tests = new Map<Urn, LibraryTest>();
    for (const { urn, json, isActive, exemptions } of await readTests(reader)) {
      const read = json === null ? undefined : readTestDefinition(json);
      if (json === null || read?.valid !== true) continue;
      const compiled = withExemptions(compileTest(read.definition), exemptions);
      tests.set(urn, { urn, compiled, definitionMd5: definitionMd5(json), isActive, exemptions });
    }
    return tests;
  }

  return {
    async all() {
      const sequence = await reader.lastSequence();
      if (known === undefined || (sequence !== upTo && (await isChanged(sequence)))) {
        known = load().catch((error: unknown) => {
          known = undefined;
          throw error;
        });
      }
      upTo = sequence;
      return known;
    },
  };
}
