import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { configurationReference } from './configuration-reference.ts';
import { settings } from '../src/config.ts';
import { printMergedSchema } from '../src/graphql/schema.ts';

const root = dirname(import.meta.dirname);

/** A file of this repository that is made from the code. To add one, add a line. */
type GeneratedFile = { readonly path: string; readonly make: () => Promise<string> };

const generatedFiles: readonly GeneratedFile[] = [
  { path: 'api/schema.graphql', make: async () => printMergedSchema(await readAll('src/**/*.graphql')) },
  { path: 'docs/reference/configuration.md', make: async () => configurationReference(settings) },
];

const usage = `usage: npm run generate [-- --check]

Writes the files that are made from the code:
${generatedFiles.map(({ path }) => `  ${path}`).join('\n')}

  --check  write nothing; fail when a file is not what the code says
  --help   this text`;

async function readAll(pattern: string): Promise<string[]> {
  const paths = globSync(pattern, { cwd: root }).sort();
  return Promise.all(paths.map(async (path) => readFile(join(root, path), 'utf8')));
}

/** What the file should hold, when it holds something else. */
async function drift({ path, make }: GeneratedFile): Promise<string | undefined> {
  const wanted = await make();
  const file = join(root, path);
  const found = existsSync(file) ? await readFile(file, 'utf8') : undefined;
  return found === wanted ? undefined : wanted;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    console.log(usage);
    return 0;
  }
  let exitCode = 0;
  for (const file of generatedFiles) {
    const wanted = await drift(file);
    if (wanted === undefined) continue;
    if (values.check === true) {
      console.error(`${file.path} is not what the code says: run npm run generate and commit the result`);
      exitCode = 1;
    } else {
      await mkdir(dirname(join(root, file.path)), { recursive: true });
      await writeFile(join(root, file.path), wanted);
      console.log(`${file.path} written`);
    }
  }
  return exitCode;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}
