import { newToken, prepareFirstAdministrator } from '../src/access-token/prepare-first-administrator.ts';
import { systemCaller } from '../src/auth/system-caller.ts';
import { tokenIdOf } from '../src/auth/token-text.ts';
import { openCatalogue } from '../src/catalogue.ts';
import type { Execute } from '../src/command/command.ts';
import { createLogger } from '../src/log/logger.ts';
import { createPostilServer } from '../src/server.ts';
import { benchToken } from './child-process.ts';

/**
 * Postil's own server in which every command answers `true` without deciding or storing anything: what a write would cost
 * if it cost nothing. Its argument is the folder of a store.
 */
const catalogue = await openCatalogue(process.argv[2] ?? '');
const made = newToken('bootstrap');
await catalogue.engine.execute(
  prepareFirstAdministrator,
  { chosen: { id: tokenIdOf(benchToken), lastFour: benchToken.slice(-4) }, made },
  systemCaller,
);
const answerTrue: Execute = async <_Input, Result>(): Promise<Result> => true as Result;
const log = createLogger('warn', (line) => process.stderr.write(line));
const server = createPostilServer(
  { store: catalogue.store, engine: { ...catalogue.engine, execute: answerTrue } },
  log,
  Date.now,
);
const port = await server.listen(0, '127.0.0.1');
await server.warmUp();
console.log(JSON.stringify({ message: 'ready', url: `http://127.0.0.1:${port}` }));
process.on('SIGTERM', () => {
  void server
    .close()
    .then(() => catalogue.store.close())
    .then(() => process.exit(0));
});
