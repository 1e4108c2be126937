import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSchema } from 'graphql';
import { configurationReference } from './configuration-reference.ts';
import { settings } from '../src/config.ts';
import { definitionSchema } from '../src/metadata-test/definition-schema.ts';
import { printMergedSchema } from '../src/graphql/schema.ts';

const root = dirname(import.meta.dirname);

/** A file of this repository that is made from the code. To add one, add a line. */
type GeneratedFile = { readonly path: string; readonly make: () => Promise<string> };

const generatedFiles: readonly GeneratedFile[] = [
  { path: 'api/schema.graphql', make: printSchema },
  {
    path: 'api/metadata-test.schema.json',
    make: async () => `${JSON.stringify(definitionSchema(), null, 2)}\n`,
  },
  { path: 'docs/reference/configuration.md', make: async () => configurationReference(settings) },
];

const usage = `usage: npm run generate [-- --check]

Writes the files that are made from the code:
${generatedFiles.map(({ path }) => `  ${path}`).join('\n')}

  --check  write nothing; fail when a file is not what the code says
  --help   this text`;

/** What the slices declare, merged; resolvers make no difference to it. */
async function printSchema(): Promise<string> {
  const paths = globSync('src/**/*.graphql', { cwd: root }).sort();
  const texts = await Promise.all(paths.map(async (path) => readFile(join(root, path), 'utf8')));
  return printMergedSchema(buildSchema(texts.join('\n')));
}

/** What the file should hold, when it holds something else. */
async function drift({ path, make }: GeneratedFile): Promise<string | undefined> {
  const wanted = await make();
  const file = join(root, path);
  const found = existsSync(file) ? await readFile(file, 'utf8') : undefined;
  return found === wanted ? undefined : wanted;
}

/** Writes or compares one file, and says what it did; true when nothing is wrong. */
async function generate(file: GeneratedFile, isCheck: boolean): Promise<boolean> {
  const wanted = await drift(file);
  if (wanted === undefined) return true;
  if (isCheck) {
    console.error(`${file.path} is not what the code says: run npm run generate and commit the result`);
    return false;
  }
  await mkdir(dirname(join(root, file.path)), { recursive: true });
  await writeFile(join(root, file.path), wanted);
  console.log(`${file.path} written`);
  return true;
}

async function main(isCheck: boolean): Promise<number> {
  let exitCode = 0;
  for (const file of generatedFiles) {
    try {
      if (!(await generate(file, isCheck))) exitCode = 1;
    } catch (error) {
      console.error(`${file.path} cannot be made: ${error instanceof Error ? error.message : String(error)}`);
      exitCode = 1;
    }
  }
  return exitCode;
}

try {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) console.log(usage);
  else process.exitCode = await main(values.check === true);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}
