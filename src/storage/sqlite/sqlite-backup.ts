import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  fsyncSync,
  closeSync,
} from 'node:fs';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostilError } from '../../errors/postil-error.ts';
import { openConnection, storageError } from './sqlite-connection.ts';
import { databaseFileName } from './sqlite-aspect-store.ts';
import { lockStore } from './store-lock.ts';

const manifestFileName = 'manifest.json';

/** What a backup says of itself; restore refuses a file that does not match. */
export type BackupManifest = {
  readonly kind: 'postil backup';
  readonly createdAt: string;
  readonly entities: number;
  readonly aspects: number;
  readonly lastSequence: number;
  readonly bytes: number;
  readonly sha256: string;
};

/**
 * Writes a consistent copy of an embedded store into a new folder, while a server may be writing: one read transaction
 * sees one state. Throws STORE_UNUSABLE when there is no store, or the destination exists already.
 */
export async function backupSqliteStore(storeFolder: string, destination: string): Promise<BackupManifest> {
  const source = join(storeFolder, databaseFileName);
  if (!existsSync(source)) throw new PostilError('STORE_UNUSABLE', `There is no catalogue in ${storeFolder}`);
  if (existsSync(destination)) {
    throw new PostilError(
      'STORE_UNUSABLE',
      `${destination} exists already; a backup never overwrites anything`,
    );
  }
  mkdirSync(destination, { recursive: true, mode: 0o700 });
  const copy = join(destination, databaseFileName);
  try {
    const database = openConnection(source, 'reading');
    try {
      database.prepare('VACUUM INTO ?').run(copy);
    } finally {
      database.close();
    }
    const manifest = await describe(copy);
    writeFileSync(join(destination, manifestFileName), `${JSON.stringify(manifest, undefined, 2)}\n`);
    for (const path of [copy, join(destination, manifestFileName), destination]) syncPath(path);
    return manifest;
  } catch (error) {
    rmSync(destination, { recursive: true, force: true });
    throw storageError(error);
  }
}

/**
 * Puts a backup in place as the store of a folder that has none. Throws STORE_UNUSABLE for a damaged or altered backup, or
 * where a catalogue stands already; then nothing is left behind.
 */
export async function restoreSqliteStore(backup: string, storeFolder: string): Promise<BackupManifest> {
  const manifest = readManifest(backup);
  const source = join(backup, databaseFileName);
  const sha256 = existsSync(source) ? await sha256Of(source) : 'missing';
  if (sha256 !== manifest.sha256) {
    throw new PostilError(
      'STORE_UNUSABLE',
      `${source} is not what its manifest says; the backup is damaged or altered`,
    );
  }
  const target = join(storeFolder, databaseFileName);
  if (existsSync(target)) {
    throw new PostilError(
      'STORE_UNUSABLE',
      `${storeFolder} holds a catalogue already; restore into an empty folder`,
    );
  }
  mkdirSync(storeFolder, { recursive: true, mode: 0o700 });
  const lock = lockStore(join(storeFolder, 'postil.lock'));
  try {
    copyFileSync(source, target);
    syncPath(target);
    syncPath(storeFolder);
    const restored = await describe(target);
    const isEqual = restored.sha256 === manifest.sha256 && restored.lastSequence === manifest.lastSequence;
    if (!isEqual)
      throw new PostilError('STORE_UNUSABLE', `The copy in ${storeFolder} differs from the backup`);
    return manifest;
  } catch (error) {
    rmSync(target, { force: true });
    throw storageError(error);
  } finally {
    lock.release();
  }
}

async function describe(file: string): Promise<BackupManifest> {
  const database = openConnection(file, 'reading');
  const number = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
  try {
    const [problem] = database.prepare('PRAGMA quick_check(1)').all();
    if (Object.values(problem ?? {})[0] !== 'ok')
      throw new PostilError('STORE_UNUSABLE', `${file} is damaged`);
    return {
      kind: 'postil backup',
      createdAt: new Date().toISOString(),
      entities: number('SELECT count(*) FROM entity WHERE present = 1'),
      aspects: number('SELECT count(*) FROM aspect WHERE body IS NOT NULL'),
      lastSequence: number('SELECT max(sequence) FROM change'),
      bytes: number('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'),
      sha256: await sha256Of(file),
    };
  } finally {
    database.close();
  }
}

function readManifest(backup: string): BackupManifest {
  const file = join(backup, manifestFileName);
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as BackupManifest;
    if (manifest.kind === 'postil backup' && typeof manifest.sha256 === 'string') return manifest;
  } catch (error) {
    throw new PostilError('STORE_UNUSABLE', `${backup} is no backup of Postil: ${file} cannot be read`, {
      cause: error,
    });
  }
  throw new PostilError('STORE_UNUSABLE', `${backup} is no backup of Postil: ${file} says something else`);
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
