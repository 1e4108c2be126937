import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorText } from '../errors/error-text.ts';
import { PostilError } from '../errors/postil-error.ts';

/** A file that is being read: its uncompressed bytes, and how far reading has come, in bytes on the disk. */
export type RecordFile = {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** `undefined` when it is not known beforehand, as of standard input. */
  readonly totalBytes: number | undefined;
  /** Milliseconds since the Unix epoch when the file was last changed; 0 (unknown) for standard input. */
  readonly changedAt: number;
  bytesRead(): number;
};

const chunkBytes = 256 * 1024;

/**
 * Opens a file for reading; `-` is standard input, a name that ends in `.gz` is unpacked on the way. Throws BAD_REQUEST
 * when there is no such file or it cannot be read.
 */
export async function openRecordFile(path: string): Promise<RecordFile> {
  let bytesRead = 0;
  const isStandardInput = path === '-';
  const facts = isStandardInput ? undefined : await factsOf(path);
  const source: NodeJS.ReadableStream = isStandardInput
    ? process.stdin
    : createReadStream(path, { highWaterMark: chunkBytes });

  async function* counted(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        bytesRead += bytes.length;
        yield bytes;
      }
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  return {
    name: isStandardInput ? 'standard input' : path,
    chunks: path.endsWith('.gz') ? unpacked(path, counted()) : counted(),
    totalBytes: facts?.size,
    changedAt: facts === undefined ? 0 : Math.trunc(facts.mtimeMs),
    bytesRead: () => bytesRead,
  };
}

async function* unpacked(path: string, packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  // When either side fails or is left, so is the other; what failed comes out of the loop below.
  pipeline(Readable.from(packed), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk;
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function factsOf(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }> {
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) throw new Error('it is a folder');
    return facts;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): PostilError {
  if (error instanceof PostilError) return error;
  const cause = errorText(error);
  return new PostilError('BAD_REQUEST', `Cannot read ${path}: ${cause}`, { cause: error });
}
