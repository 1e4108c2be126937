import { readConfig } from '../config.ts';
import { restoreSqliteStore } from '../storage/sqlite/sqlite-backup.ts';
import { refusePostgres, storeFlag, storeOption } from './backup.ts';
import { type CliCommand, exitCodes, UsageError } from './command-line.ts';

export const restore: CliCommand = {
  name: 'restore',
  summary: 'Put a backup in place as a new store.',
  usage: 'restore FOLDER [--store WHERE]',
  help: [
    'Compares the backup in FOLDER with its manifest, then copies it to where the store shall be. A folder that holds ' +
      'a catalogue already is never touched.',
  ],
  options: [storeOption],
  async run(given, terminal) {
    const [folder, ...more] = given.positionals;
    if (folder === undefined || more.length > 0)
      throw new UsageError(restore, 'Name the folder of one backup.');
    const { store } = readConfig(storeFlag(given.value('store')));
    refusePostgres(store, 'pg_restore');
    const manifest = await restoreSqliteStore(folder, store);
    terminal.out(
      `${store}: ${manifest.entities} entities, ${manifest.aspects} aspects, as of ${manifest.createdAt}\n`,
    );
    return exitCodes.done;
  },
};
