import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalogue, openCatalogue } from '../src/catalogue.ts';
import { createVerdictKeeper } from '../src/metadata-test/keeping/create-verdict-keeper.ts';
import type { VerdictKeeper } from '../src/metadata-test/keeping/verdict-keeper.ts';
import { createTestLibrary } from '../src/metadata-test/test-library.ts';
import { databaseFileName } from '../src/storage/sqlite/sqlite-aspect-store.ts';
import { codeDigest, keptStore } from './generator.ts';
import { testedAspects } from './tested-datasets.ts';
import { saveTests, testedStore, type TestedContents } from './tested-store.ts';

/** A keeper on an open catalogue, as the server has one; whatever goes wrong with it is shown. */
export function startKeeper({ store }: Catalogue): VerdictKeeper {
  const keeper = createVerdictKeeper({
    store,
    library: createTestLibrary(store),
    now: Date.now,
    report: (level, message, cause) => console.error(level, message, cause),
  });
  keeper.start();
  return keeper;
}

/** A generated store with tests, all of them evaluated for everything; kept between runs. */
export function keptVerdicts(
  data: string,
  contents: TestedContents & { readonly tests: number },
  say: (text: string) => void,
): Promise<string> {
  const { datasets, columns, tests } = contents;
  return keptStore({
    folder: join(data, `store-${datasets}-tested-datasets-${columns}-columns-${tests}-tests`),
    made: { ...contents, code: codeDigest(testedAspects(0, columns)) },
    async fill(folder) {
      const generated = await testedStore(data, { datasets, columns }, say);
      cpSync(join(generated, databaseFileName), join(folder, databaseFileName));
      const catalogue = await openCatalogue(folder);
      await saveTests(catalogue, tests);
      const keeper = startKeeper(catalogue);
      say(`evaluating ${tests} tests for ${datasets.toLocaleString('en')} datasets`);
      await keeper.settled();
      await keeper.stop();
      await catalogue.engine.idle();
      await catalogue.store.close();
    },
  });
}
