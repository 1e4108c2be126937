import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { PostilError } from '../../errors/postil-error.ts';
import type { StoredTest } from '../../metadata-test/test-entity.ts';
import { urnKey } from '../../urn/urn.ts';
import { type CliCommand, exitCodes, UsageError } from '../command-line.ts';
import { counted } from './counted.ts';
import { homeOptions, openHome } from './test-home.ts';

export const exportTests: CliCommand = {
  name: 'test export',
  summary: 'Write stored tests into a folder, one file each.',
  usage: 'test export FOLDER (--server URL [--token TOKEN] | --store WHERE) [--force]',
  help: [
    'Writes each stored test into a YAML file of its own, named like its id: URN, name, category, description and ' +
      'definition, as test plan and test apply read them.',
    'Files that are there are not written over without --force. Exit code 0: all were written.',
  ],
  options: [
    ...homeOptions,
    { name: 'force', description: 'Write over files that are there.' },
    { name: 'json', description: 'Print the result as JSON.' },
  ],
  async run(given, terminal) {
    const [folder, ...more] = given.positionals;
    if (folder === undefined || more.length > 0) {
      throw new UsageError(exportTests, 'Name one folder to write to.');
    }
    const home = await openHome(given, exportTests);
    try {
      const files = filesOf(await home.list(), folder);
      const taken = [...files.keys()].filter((file) => existsSync(file));
      if (taken.length > 0 && !given.isSet('force')) {
        throw new PostilError(
          'ALREADY_EXISTS',
          `There is already ${taken.slice(0, 5).join(', ')}; nothing was written. --force writes over it.`,
        );
      }
      mkdirSync(folder, { recursive: true });
      for (const [file, text] of files) writeFileSync(file, text);
      terminal.out(
        given.isSet('json')
          ? `${JSON.stringify({ files: [...files.keys()] })}\n`
          : `${counted(files.size, 'test')} written to ${folder}\n`,
      );
      return exitCodes.done;
    } finally {
      await home.close();
    }
  },
};

function filesOf(tests: readonly StoredTest[], folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const names = new Set<string>();
  for (const test of tests) {
    // Names that differ in case alone are one file on some systems.
    const plain = urnKey(test.urn)
      .replaceAll(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '_')
      .slice(0, 150);
    let name = plain;
    for (let number = 2; names.has(name.toLowerCase()); number += 1) name = `${plain}-${number}`;
    names.add(name.toLowerCase());
    files.set(join(folder, `${name}.yaml`), textOf(test));
  }
  return files;
}

function textOf({ urn, name, category, description, json }: StoredTest): string {
  let definition: unknown = json;
  try {
    definition = json === null ? null : JSON.parse(json);
  } catch {
    // What was ingested may be no JSON; it is written as the text it is, and validate tells.
  }
  const about = description === null ? {} : { description };
  return stringify({ urn, name, category, ...about, definition }, { lineWidth: 110 });
}
