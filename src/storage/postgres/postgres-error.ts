import { errorText } from '../../errors/error-text.ts';
import { PostilError } from '../../errors/postil-error.ts';

const diskFull = '53100';
const transient = new Set(['40001', '40P01', '55P03']);
/** Codes of the client itself and of the operating system for a connection that is not there, or no longer. */
const connectionCode =
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|ENOENT|EACCES)/;
/** Classes: connection, resources, operator intervention, system error; and a server that only reads. */
const serverCode = /^(08|53|57P|58|25006)/;
const corruptCode = /^XX00[12]$/;

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Deadlocks and serialization failures: the same statements may succeed when they are sent again. */
export function isTransient(error: unknown): boolean {
  return transient.has(codeOf(error));
}

/** Turns what the client throws into the code table's words; anything that is not about storage stays as it is. */
export function postgresError(error: unknown): unknown {
  if (error instanceof PostilError) return error;
  const code = codeOf(error);
  const reason = errorText(error);
  if (code === diskFull) {
    return new PostilError(
      'STORAGE_FULL',
      'The disk of the PostgreSQL server is full: nothing was stored. Free some space and try again.',
      { cause: error },
    );
  }
  if (isTransient(error)) {
    return new PostilError('OVERLOADED', `PostgreSQL asks to try again: nothing was stored (${reason})`, {
      cause: error,
    });
  }
  // The client's own word for what is asked of it after its end.
  if (code === 'CONNECTION_ENDED') {
    return new PostilError('STORAGE_FAILED', 'The store is closed', { cause: error });
  }
  if (connectionCode.test(code) || serverCode.test(code)) {
    return new PostilError('STORAGE_UNREACHABLE', `PostgreSQL failed: nothing was stored (${reason})`, {
      cause: error,
    });
  }
  if (corruptCode.test(code)) {
    return new PostilError('CORRUPT_ASPECT', `The store is damaged (${reason}). Run postil check.`, {
      cause: error,
    });
  }
  return error;
}
