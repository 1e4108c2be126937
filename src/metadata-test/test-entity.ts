import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Aspect } from '../aspect/aspect.ts';
import { isJsonObject, type JsonObject } from '../aspect/json.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType, type Urn } from '../urn/urn.ts';
import { definitionMd5 } from './canonical-text.ts';
import { type Exemption, exemptionsOf } from './exemption/exemption.ts';
import { requireValidDefinition } from './require-valid.ts';

const nameCharactersMax = 1_024;
const descriptionCharactersMax = 256 * 1_024;

/** What people say of a test: the input of createTest and updateTest (contract section 7.18). */
export type TestInput = {
  readonly name: string;
  readonly category: string;
  readonly description?: string | null;
  readonly definition: { readonly json?: string | null };
};

/** A stored test as it is shown. */
export type StoredTest = {
  readonly urn: Urn;
  readonly name: string;
  readonly category: string;
  readonly description: string | null;
  /** The text of the definition, byte for byte as it was saved. */
  readonly json: string | null;
};

/** A stored test with what decides when and for whom it counts. */
export type KnownTest = StoredTest & {
  /** False where `testInfo.status.mode` is INACTIVE: such tests are evaluated only when they are named. */
  readonly isActive: boolean;
  readonly exemptions: readonly Exemption[];
};

/**
 * The body of `testInfo`. The definition is validated, so a broken one is never stored. Throws BAD_REQUEST,
 * INVALID_TEST_DEFINITION.
 */
export function testInfoOf(input: TestInput, now: number): JsonObject {
  const { name, category, description, definition } = input;
  if (name.trim() === '' || name.length > nameCharactersMax) {
    throw new PostilError('BAD_REQUEST', `A test needs a name of 1 to ${nameCharactersMax} characters`);
  }
  if (category.length > nameCharactersMax) {
    throw new PostilError(
      'BAD_REQUEST',
      `The category of a test has at most ${nameCharactersMax} characters`,
    );
  }
  if ((description ?? '').length > descriptionCharactersMax) {
    throw new PostilError(
      'BAD_REQUEST',
      `The description of a test has at most ${descriptionCharactersMax} characters`,
    );
  }
  const { json } = definition;
  if (json === undefined || json === null) {
    throw new PostilError(
      'INVALID_TEST_DEFINITION',
      'The test definition is missing: definition.json must hold it',
    );
  }
  requireValidDefinition(json);
  return {
    name,
    category,
    ...(description === undefined || description === null ? {} : { description }),
    definition: { type: 'JSON', json, md5: definitionMd5(json) },
    lastUpdatedTimestamp: now,
  };
}

export function storedTestOf(urn: Urn, info: Aspect): StoredTest {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const { name, category, description, definition } = info.body;
  return {
    urn,
    name: text(name) ?? '',
    category: text(category) ?? '',
    description: text(description),
    json: isJsonObject(definition) ? text(definition['json']) : null,
  };
}

/** The URN of a test. Throws BAD_REQUEST for the URN of anything else. */
export function parseTestUrn(text: string): Urn {
  const urn = parseUrn(text);
  if (urnType(urn) !== 'test')
    throw new PostilError('BAD_REQUEST', `${text} is not the URN of a test (urn:li:test:<id>)`);
  return urn;
}

const scanPageSize = 1_000;

type TestReader = Pick<AspectReader, 'entities' | 'readMany'>;

/** All stored tests with their exemptions, in the order in which they were made. */
export async function readTests(reader: TestReader): Promise<readonly KnownTest[]> {
  const tests: KnownTest[] = [];
  for (let start = 0; ; start += scanPageSize) {
    const page = await reader.entities({ type: 'test', start, count: scanPageSize });
    tests.push(...(await readTestsOf(reader, page.items)));
    if (page.items.length === 0 || start + page.items.length >= page.total) return tests;
  }
}

/** Those of these tests that are stored. */
export async function readTestsOf(
  reader: Pick<TestReader, 'readMany'>,
  urns: readonly Urn[],
): Promise<readonly KnownTest[]> {
  const tests: KnownTest[] = [];
  for (const [urn, aspects] of await reader.readMany(urns, ['testInfo', 'testExemptions'])) {
    const info = aspects.get('testInfo');
    if (info === undefined) continue;
    const { status } = info.body;
    tests.push({
      ...storedTestOf(urn, info),
      isActive: !isJsonObject(status) || status['mode'] !== 'INACTIVE',
      exemptions: exemptionsOf(aspects.get('testExemptions')?.body),
    });
  }
  return tests;
}
