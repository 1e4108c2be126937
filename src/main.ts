import { enableCompileCache } from 'node:module';
import {
  exitCodes,
  exitOf,
  helpOf,
  parseArguments,
  type CliCommand,
  type Terminal,
} from './cli/command-line.ts';

// Type stripping and compiling are most of the time it takes to start; this keeps their result between starts.
enableCompileCache();

/** Each command's module is loaded when it is called for. */
const commands: Readonly<Record<string, { readonly summary: string; load(): Promise<CliCommand> }>> = {
  serve: { summary: 'Answer requests.', load: async () => (await import('./cli/serve.ts')).serve },
  ingest: {
    summary: 'Read metadata files into a server or a store.',
    load: async () => (await import('./cli/ingest.ts')).ingest,
  },
  token: {
    summary: 'Create, list or revoke access tokens.',
    load: async () => (await import('./cli/token.ts')).token,
  },
  check: {
    summary: 'Verify every checksum, everything derived, and the change log.',
    load: async () => (await import('./cli/check.ts')).check,
  },
  reindex: {
    summary: 'Make the search index anew from what is stored.',
    load: async () => (await import('./cli/reindex.ts')).reindex,
  },
  test: {
    summary: 'Keep metadata tests as files: validate, try, compare, store and run them.',
    load: async () => (await import('./cli/test.ts')).test,
  },
  backup: {
    summary: 'Write a consistent copy of a store, also while it is served.',
    load: async () => (await import('./cli/backup.ts')).backup,
  },
  restore: {
    summary: 'Put a backup in place as a new store.',
    load: async () => (await import('./cli/restore.ts')).restore,
  },
};

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isInteractive: process.stderr.isTTY === true,
  onStop(listener) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => listener(signal));
  },
  abandon: (code) => process.exit(code),
};

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`);
  return ['Usage: postil COMMAND [OPTIONS]', '', ...rows, '', 'postil COMMAND --help says more.', ''].join(
    '\n',
  );
}

async function run(given: readonly string[]): Promise<number> {
  const [name = '--help', ...rest] = given;
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.out(overview());
    return exitCodes.done;
  }
  if (name === '--version') {
    const { version } = await import('./version.ts');
    terminal.out(`postil ${version}\n`);
    return exitCodes.done;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    terminal.err(`There is no command ${name}.\n\n${overview()}`);
    return exitCodes.usage;
  }
  const family = await entry.load();
  const [first = '', ...others] = rest;
  const subcommands = family.subcommands ?? {};
  const member = Object.hasOwn(subcommands, first) ? await subcommands[first]?.load() : undefined;
  const [command, words] = member === undefined ? [family, rest] : [member, others];
  if (words.includes('--help') || words.includes('-h')) {
    terminal.out(helpOf(command));
    return exitCodes.done;
  }
  return command.run(parseArguments(command, words), terminal);
}

try {
  // A number is set, not exited with, so that what is still being written gets out.
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const { code, message } = exitOf(error);
  terminal.err(`${message}\n`);
  process.exitCode = code;
}
