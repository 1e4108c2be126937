import { settings } from '../config.ts';
import { readConfig } from '../config.ts';
import { PostilError } from '../errors/postil-error.ts';
import { backupSqliteStore } from '../storage/sqlite/sqlite-backup.ts';
import { type CliCommand, exitCodes, UsageError } from './command-line.ts';

export const storeOption = {
  name: 'store',
  value: 'WHERE',
  description: `The store: a folder or a postgres:// URL. Default: $POSTIL_STORE, else ${
    settings.find((setting) => setting.key === 'store')?.default ?? ''
  }.`,
} as const;

export const backup: CliCommand = {
  name: 'backup',
  summary: 'Write a consistent copy of a store, also while it is served.',
  usage: 'backup FOLDER [--store WHERE]',
  help: [
    'Writes the catalogue as it is at one moment into a new FOLDER: the database and a manifest with its size, its ' +
      'last change and its hash. Nothing has to be stopped. A store on PostgreSQL is backed up with pg_dump.',
  ],
  options: [storeOption, { name: 'json', description: 'Print the manifest as JSON.' }],
  async run(given, terminal) {
    const [folder, ...more] = given.positionals;
    if (folder === undefined || more.length > 0) throw new UsageError(backup, 'Name one folder to write to.');
    const { store } = readConfig(storeFlag(given.value('store')));
    refusePostgres(store, 'pg_dump');
    const manifest = await backupSqliteStore(store, folder);
    terminal.out(
      given.isSet('json')
        ? `${JSON.stringify(manifest)}\n`
        : `${folder}: ${manifest.entities} entities, ${manifest.aspects} aspects, up to change ` +
            `${manifest.lastSequence}, ${manifest.bytes} bytes\n`,
    );
    return exitCodes.done;
  },
};

export function storeFlag(store: string | undefined): { store?: string } {
  return store === undefined ? {} : { store };
}

/** PostgreSQL brings tools for this that every administrator knows; ours would only be a worse copy. */
export function refusePostgres(store: string, tool: string): void {
  if (!/^postgres(ql)?:\/\//.test(store)) return;
  throw new PostilError('BAD_REQUEST', `A catalogue on PostgreSQL is copied and put back with ${tool}.`);
}
