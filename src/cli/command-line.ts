import { parseArgs } from 'node:util';
import { errorText } from '../errors/error-text.ts';
import { type ErrorCode, PostilError } from '../errors/postil-error.ts';

/** Exit codes of every command (docs/reference/command-line.md). */
export const exitCodes = {
  done: 0,
  /** The command ran and something was wrong: bad records, damage found, a refused request. */
  failed: 1,
  /** The command line was not understood. */
  usage: 2,
  /** The store cannot be opened: in use by another process, damaged, of a newer format, out of reach. */
  store: 3,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type Option = {
  readonly name: string;
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string;
  readonly description: string;
};

export type Arguments = {
  readonly positionals: readonly string[];
  /** The value of an option; `undefined` when it was not given. */
  value(name: string): string | undefined;
  isSet(name: string): boolean;
};

/** Where a command writes: results to `out`, everything about the work itself to `err`. */
export type Terminal = {
  out(text: string): void;
  err(text: string): void;
  /** True when `err` is a terminal: progress bars make sense only there. */
  readonly isInteractive: boolean;
  /** Calls back when the process is asked to stop, with the signal's name. */
  onStop(listener: (signal: string) => void): void;
  /** Ends the process at once, whatever still runs. */
  abandon(code: ExitCode): never;
};

export type CliCommand = {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  /** Paragraphs below the usage line. */
  readonly help: readonly string[];
  readonly options: readonly Option[];
  /** Commands of which this one is the family; their names begin with its own, and it runs nothing itself. */
  readonly subcommands?: Readonly<Record<string, SubcommandEntry>>;
  run(given: Arguments, terminal: Terminal): Promise<ExitCode>;
};

/** A sub-command; its module is loaded when it is called for. */
export type SubcommandEntry = { readonly summary: string; load(): Promise<CliCommand> };

/** Parses the words behind a command's name. Throws a UsageError that says what was not understood. */
export function parseArguments(command: CliCommand, words: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: Object.fromEntries(
        command.options.map((option) => [
          option.name,
          { type: option.value === undefined ? 'boolean' : 'string' },
        ]),
      ),
    });
    const given = values as Readonly<Record<string, string | boolean | undefined>>;
    return {
      positionals,
      value: (name) => {
        const value = given[name];
        return typeof value === 'string' ? value : undefined;
      },
      isSet: (name) => given[name] === true,
    };
  } catch (error) {
    throw new UsageError(command, errorText(error));
  }
}

/** The command line was not understood; shown with a pointer to the command's help. */
export class UsageError extends Error {
  constructor(command: Pick<CliCommand, 'name'>, message: string) {
    super(`${message}\nTry: postil ${command.name} --help`);
    this.name = 'UsageError';
  }
}

export function helpOf(command: CliCommand): string {
  const options = [...command.options, { name: 'help', description: 'Show this text.' } satisfies Option];
  const heads = options.map(
    (option) => `  --${option.name}${option.value === undefined ? '' : ` ${option.value}`}`,
  );
  const width = Math.max(...heads.map((head) => head.length)) + 2;
  const rows = options.map(
    (option, index) => (heads[index] ?? '').padEnd(width) + wrap(option.description, width),
  );
  const paragraphs = command.help.map((paragraph) => wrap(paragraph, 0));
  const sections = [
    ...(command.subcommands === undefined ? [] : [['Sub-commands:', ...subcommandRows(command.subcommands)]]),
    ['Options:', ...rows],
  ].map((section) => section.join('\n'));
  return `${[`Usage: postil ${command.usage}`, ...paragraphs, ...sections].join('\n\n')}\n`;
}

function subcommandRows(subcommands: Readonly<Record<string, SubcommandEntry>>): readonly string[] {
  const width = Math.max(...Object.keys(subcommands).map((name) => name.length)) + 4;
  return Object.entries(subcommands).map(
    ([name, { summary }]) => `  ${name}`.padEnd(width) + wrap(summary, width),
  );
}

const lineWidth = 96;

/** Breaks a text at spaces; further lines are indented. */
function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > lineWidth) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

const storeCodes: ReadonlySet<ErrorCode> = new Set([
  'STORE_LOCKED',
  'STORE_UNUSABLE',
  'STORAGE_FAILED',
  'STORAGE_UNREACHABLE',
]);

/** The exit code for what a command threw, and the line to show. */
export function exitOf(error: unknown): { readonly code: ExitCode; readonly message: string } {
  if (error instanceof UsageError) return { code: exitCodes.usage, message: error.message };
  if (!(error instanceof PostilError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { code: exitCodes.failed, message: `A bug in Postil, please report it: ${text}` };
  }
  const isStore = storeCodes.has(error.code);
  if (error.code === 'INVALID_CONFIGURATION') return { code: exitCodes.usage, message: error.message };
  return { code: isStore ? exitCodes.store : exitCodes.failed, message: error.message };
}
