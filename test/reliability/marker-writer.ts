import { writeSync } from 'node:fs';
import { openCatalogue } from '../../src/catalogue.ts';
import { PostilError } from '../../src/errors/postil-error.ts';
import { writeMarkers } from './marker-batches.ts';

/**
 * A process of its own that writes markers 1 to the second argument into the store of the first, some at a time, and says
 * what became of each: `ack N`, `refused N CODE`, or `closed CODE` when the store did not open or close. Its exit code is
 * that of `postil serve`: 3 once the disk has failed.
 */
const atOnce = 3;
const [location = '', last = '0'] = process.argv.slice(2);

/** Written at once, not when the process finds the time: what was said before it dies counts. */
function say(...words: readonly (string | number)[]): void {
  writeSync(1, `${words.join(' ')}\n`);
}

function codeOf(error: unknown): string {
  return error instanceof PostilError ? error.code : `bug: ${String(error)}`;
}

async function run(): Promise<void> {
  const { store, engine } = await openCatalogue(location);
  engine.onFailure(() => {
    process.exitCode = 3;
  });
  for (let first = 1; first <= Number(last); first += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, (_, index) => first + index).map((marker) =>
        writeMarkers(engine.execute, marker).then(
          () => say('ack', marker),
          (error: unknown) => say('refused', marker, codeOf(error)),
        ),
      ),
    );
  }
  await store.close();
}

try {
  await run();
} catch (error) {
  say('closed', codeOf(error));
  process.exitCode = 3;
}
