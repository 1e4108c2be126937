import type { LogLevel } from '../config.ts';

/** Facts beside a message; never metadata values, tokens, headers or document text. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export type Logger = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  readonly isDebug: boolean;
};

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

/** One JSON object per line. `write` gets the line with its end. */
export function createLogger(level: LogLevel, write: (line: string) => void): Logger {
  const rank = ranks[level];
  const log =
    (name: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: LogFields = {}): void => {
      if (ranks[name] < rank) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, msg: message, ...fields })}\n`);
    };
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    isDebug: rank === 0,
  };
}
