// Plain JavaScript without dependencies: it runs before anything is installed, on whatever Node started it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const lockPatienceMs = 15 * 60_000;

/**
 * Makes sure that node_modules in `root` is what the lockfile says; installs when it is not. Runs that start at the same
 * time take turns, and those that waited find the work done. Throws an Error whose message is for the person at the terminal.
 */
export async function ensureInstalled(root) {
  const wanted = lockfileHash(root);
  if (installedHash(root) === wanted || adoptInstallation(root, wanted)) return;
  const release = await acquireLock(join(root, '.cache', 'setup.lock'));
  try {
    if (installedHash(root) === wanted) return;
    install(root);
    writeFileSync(stampPath(root), wanted);
  } finally {
    release();
  }
}

function install(root) {
  process.stderr.write(
    'postil: installing the packages of package-lock.json with npm ci (once per change of the lockfile)\n',
  );
  // Development packages and the runtime are wanted whatever NODE_ENV and npm's configuration say. Only errors are
  // printed: npm would warn that an old Node is not the one in "engines", but Postil runs on the runtime it brings.
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const isWindows = process.platform === 'win32';
  const result =
    npm !== undefined && basename(npm) === 'npm-cli.js'
      ? spawnSync(process.execPath, [npm, ...options], { cwd: root, stdio: ['ignore', 2, 2] })
      : spawnSync('npm', options, { cwd: root, stdio: ['ignore', 2, 2], shell: isWindows });
  if (result.error !== undefined)
    throw new Error(`npm could not be started (${result.error.message}); install Node.js with npm`);
  if (result.status !== 0) {
    throw new Error(
      'npm ci failed, see its messages above; the first run needs a network connection to the npm registry',
    );
  }
}

function lockfileHash(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function stampPath(root) {
  return join(root, 'node_modules', '.postil-lock');
}

function installedHash(root) {
  return readIfThere(stampPath(root));
}

/** Accepts what somebody installed by hand: npm's own record of node_modules has every package of the lockfile. */
function adoptInstallation(root, wanted) {
  const record = readIfThere(join(root, 'node_modules', '.package-lock.json'));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const isComplete = Object.entries(locked).every(
    ([path, { version, optional }]) =>
      path === '' ||
      installed[path]?.version === version ||
      (optional === true && installed[path] === undefined),
  );
  if (isComplete) writeFileSync(stampPath(root), wanted);
  return isComplete;
}

/** A folder is a lock: making it succeeds for one process only. It outlives a killed owner, hence the owner's id in it. */
async function acquireLock(folder) {
  mkdirSync(join(folder, '..'), { recursive: true });
  const deadline = Date.now() + lockPatienceMs;
  for (let told = false; ;) {
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'owner'), String(process.pid));
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(folder)) removeAbandoned(folder);
    if (Date.now() > deadline)
      throw new Error(`another set-up holds ${folder}; remove the folder if none is running`);
    if (!told) process.stderr.write('postil: waiting for another set-up of this folder to finish\n');
    told = true;
    await sleep(200);
  }
}

function isAbandoned(folder) {
  const owner = readIfThere(join(folder, 'owner'));
  if (owner === undefined || owner === '') return ageMs(folder) > 10_000;
  try {
    process.kill(Number(owner), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** By renaming, so that of several processes that see the dead owner one removes the folder, and never a new owner's. */
function removeAbandoned(folder) {
  const aside = `${folder}.${process.pid}`;
  try {
    renameSync(folder, aside);
    if (isAbandoned(aside)) rmSync(aside, { recursive: true, force: true });
    else renameSync(aside, folder);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
