import { stringify } from 'yaml';
import { PostilError } from '../../errors/postil-error.ts';
import { freezeEntity } from '../../metadata-test/fixtures/freeze-entity.ts';
import { readTestDefinition } from '../../metadata-test/test-definition.ts';
import { parseUrn, urnType } from '../../urn/urn.ts';
import { type CliCommand, exitCodes, UsageError } from '../command-line.ts';
import { readTestFile } from './test-file.ts';
import { homeOptions, openHome } from './test-home.ts';

export const freeze: CliCommand = {
  name: 'test freeze',
  summary: 'Print a stored entity as a fixture.',
  usage: 'test freeze URN FILE (--server URL [--token TOKEN] | --store WHERE)',
  help: [
    'Prints, for each test in the file that is for entities of this type, a fixture: what the test reads of the entity ' +
      'and of the entities behind it, as it is stored now, and what the test says of it.',
    'Exit code 0: it was printed. 1: the entity is missing, or no test in the file is for it.',
  ],
  options: [...homeOptions, { name: 'json', description: 'Print the fixtures as JSON.' }],
  async run(given, terminal) {
    const [text, file, ...more] = given.positionals;
    if (text === undefined || file === undefined || more.length > 0) {
      throw new UsageError(freeze, 'Name one entity by its URN, and one file.');
    }
    const urn = parseUrn(text);
    const definitions = readTestFile(file).tests.flatMap((test) => {
      const read = readTestDefinition(test.text);
      return read.valid && read.definition.types.includes(urnType(urn)) ? [read.definition] : [];
    });
    if (definitions.length === 0) {
      throw new PostilError(
        'BAD_REQUEST',
        `No valid test in ${file} is for entities of type ${urnType(urn)}`,
      );
    }
    const home = await openHome(given, freeze);
    try {
      const fixtures: object[] = [];
      for (const definition of definitions) {
        fixtures.push(await freezeEntity(home.facts, definition, urn, Date.now()));
      }
      terminal.out(
        given.isSet('json')
          ? `${JSON.stringify({ fixtures })}\n`
          : stringify({ fixtures }, { lineWidth: 110 }),
      );
      return exitCodes.done;
    } finally {
      await home.close();
    }
  },
};
