import { PostilError } from './errors/postil-error.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Config = {
  /** A folder, or a `postgres://` URL. */
  readonly store: string;
  readonly port: number;
  readonly host: string;
  /** A token for the first administrator, chosen by whoever runs the service. */
  readonly token: string | undefined;
  readonly logLevel: LogLevel;
  /** Whether verdicts of metadata tests follow what is written. */
  readonly metadataTests: 'on' | 'off';
};

export type Setting = {
  readonly key: keyof Config;
  readonly variable: string;
  readonly flag: string;
  readonly default: string | undefined;
  readonly description: string;
};

/** Decision 26: every setting is an environment variable and a flag of `postil serve`; the flag wins. */
export const settings: readonly Setting[] = [
  {
    key: 'store',
    variable: 'POSTIL_STORE',
    flag: '--store',
    default: './postil-data',
    description:
      'Where the catalogue is kept: a folder for the embedded store, or a postgres:// URL for a store that several ' +
      'nodes share. The one setting that chooses the store.',
  },
  {
    key: 'port',
    variable: 'POSTIL_PORT',
    flag: '--port',
    default: '8080',
    description: 'The port to listen on; 0 takes any free one.',
  },
  {
    key: 'host',
    variable: 'POSTIL_HOST',
    flag: '--host',
    default: '127.0.0.1',
    description:
      'The address to listen on. The default answers this machine only; 0.0.0.0 answers everybody.',
  },
  {
    key: 'token',
    variable: 'POSTIL_TOKEN',
    flag: '--token',
    default: undefined,
    description:
      'An access token for the first administrator, at least 24 characters. Without it, one is made on the first ' +
      'start and printed once.',
  },
  {
    key: 'logLevel',
    variable: 'POSTIL_LOG_LEVEL',
    flag: '--log-level',
    default: 'info',
    description: 'How much is logged: debug, info, warn, error or silent.',
  },
  {
    key: 'metadataTests',
    variable: 'POSTIL_METADATA_TESTS',
    flag: '--metadata-tests',
    default: 'on',
    description:
      'Whether this node keeps the verdicts of metadata tests up to date as the catalogue changes: on or off. With off, ' +
      'tests are evaluated on demand only, what was kept grows old unless another node keeps it, and this node takes no ' +
      'actions and previews nothing.',
  },
];

export type Environment = { readonly [variable: string]: string | undefined };

/** The shortest token that may be chosen by hand; a guessable one would open everything. */
export const chosenTokenCharactersMin = 24;

/**
 * Settings from the environment (by default the process's own) and from flags, which win. The only reader of the
 * environment. Throws INVALID_CONFIGURATION with all problems at once.
 */
export function readConfig(
  flags: Partial<Record<keyof Config, string>> = {},
  environment: Environment = process.env,
): Config {
  const problems: string[] = [];
  const text = (key: keyof Config): string | undefined => {
    const setting = settings.find((each) => each.key === key);
    const given = flags[key] ?? (setting === undefined ? undefined : environment[setting.variable]);
    return given === undefined || given === '' ? setting?.default : given;
  };
  const store = text('store') ?? './postil-data';
  const scheme = /^[a-z][a-z\d+.-]*(?=:\/\/)/i.exec(store)?.[0].toLowerCase();
  if (scheme !== undefined && scheme !== 'postgres' && scheme !== 'postgresql') {
    // The rest of the URL may hold a password, so it is not repeated.
    problems.push(
      `the store is a ${scheme}:// URL, but only folders and postgres:// URLs can be stores (POSTIL_STORE, --store)`,
    );
  }
  const given = text('port') ?? '';
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(port <= 65_535)) {
    problems.push(`the port ${given} is not a number from 0 to 65535 (POSTIL_PORT, --port)`);
  }
  const level = text('logLevel') ?? 'info';
  const logLevel = logLevels.find((each) => each === level);
  if (logLevel === undefined) {
    problems.push(
      `the log level ${level} is none of ${logLevels.join(', ')} (POSTIL_LOG_LEVEL, --log-level)`,
    );
  }
  const metadataTests = text('metadataTests');
  if (metadataTests !== 'on' && metadataTests !== 'off') {
    problems.push(
      `metadata tests are either on or off, not ${metadataTests ?? ''} (POSTIL_METADATA_TESTS, --metadata-tests)`,
    );
  }
  const token = text('token');
  if (token !== undefined && token.length < chosenTokenCharactersMin) {
    problems.push(
      `the token has ${token.length} characters, at least ${chosenTokenCharactersMin} are needed (POSTIL_TOKEN)`,
    );
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    problems.push('the token holds characters that cannot stand in an HTTP header (POSTIL_TOKEN)');
  }
  if (problems.length > 0) {
    throw new PostilError('INVALID_CONFIGURATION', `Cannot start: ${problems.join('; ')}`);
  }
  return {
    store,
    port,
    host: text('host') ?? '127.0.0.1',
    token,
    logLevel: logLevel ?? 'info',
    metadataTests: metadataTests === 'off' ? 'off' : 'on',
  };
}
