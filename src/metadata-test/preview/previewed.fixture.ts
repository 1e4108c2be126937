import assert from 'node:assert/strict';
import type { TestCatalogue } from '../../../test/catalogue.ts';
import type { Urn } from '../../urn/urn.ts';
import { parseUrn } from '../../urn/urn.ts';
import { createTest } from '../create-test.ts';
import { createVerdictKeeper } from '../keeping/create-verdict-keeper.ts';
import { createTestLibrary } from '../test-library.ts';
import type { Preview, PreviewInput } from './preview.ts';
import { type PreviewLimits, previewDefinition } from './preview-definition.ts';

export type Previewer = AsyncDisposable & {
  (input: PreviewInput, now: number, options?: Options): Promise<Preview>;
  /** Stores a test and waits for its verdicts. */
  save(id: string, json: string): Promise<Urn>;
};

type Options = {
  /** Done once rows are up to date, before anything is counted. */
  meanwhile?(): Promise<void>;
  readonly limits?: Partial<PreviewLimits>;
  canSee?(urn: Urn): boolean;
};

/** Previews on a catalogue whose rows and verdicts are kept. */
export async function previewed(
  catalogue: TestCatalogue,
  { isStarted = true }: { readonly isStarted?: boolean } = {},
): Promise<Previewer> {
  const { store } = catalogue;
  const library = createTestLibrary(store);
  const reports: string[] = [];
  const keeper = createVerdictKeeper({
    store,
    library,
    now: Date.now,
    report: (_level, message, cause) => void reports.push(`${message} ${String(cause)}`),
  });
  catalogue.engine.onCommit(() => keeper.poke());
  if (isStarted) keeper.start();
  const preview = async (
    input: PreviewInput,
    now: number,
    { limits, canSee, meanwhile }: Options = {},
  ): Promise<Preview> =>
    previewDefinition(
      {
        store,
        tests: {
          library,
          verdicts: store.verdicts,
          keeper: {
            ...keeper,
            async ensureRows() {
              await keeper.ensureRows();
              await meanwhile?.();
            },
          },
        },
        canSee: canSee ?? (() => true),
        ...(limits === undefined ? {} : { limits }),
      },
      input,
      now,
    );
  return Object.assign(preview, {
    async save(id: string, json: string) {
      const input = { id, name: id, category: 'x', definition: { json } };
      return parseUrn(await catalogue.execute(createTest, input, catalogue.admin));
    },
    async [Symbol.asyncDispose]() {
      await keeper.stop();
      assert.deepEqual(reports, []);
    },
  });
}
