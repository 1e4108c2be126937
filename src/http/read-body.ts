import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { PostilError } from '../errors/postil-error.ts';

/** Throws UNSUPPORTED_MEDIA_TYPE unless the body is declared as JSON in UTF-8. Nothing else is ever parsed. */
export function requireJson(contentType: string | undefined, mayBeAbsent: boolean): void {
  if (contentType === 'application/json') return;
  if (contentType === undefined && mayBeAbsent) return;
  const [type, ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isPlain = parameters.every((parameter) => parameter === '' || /^charset="?utf-8"?$/.test(parameter));
  if (type === 'application/json' && isPlain) return;
  throw new PostilError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body must be sent with Content-Type: application/json, not ${contentType ?? 'without one'}`,
  );
}

/**
 * Reads a body of at most `bytesMax` bytes as text. Refused by its announced length where there is one, and as soon as it
 * is longer otherwise. Throws BODY_TOO_LARGE, BAD_REQUEST (not UTF-8).
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const tooLarge = (): PostilError =>
      new PostilError(
        'BODY_TOO_LARGE',
        `The body is larger than ${bytesMax} bytes, which is the limit of this route`,
      );
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    const collect = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        request.off('data', collect);
        chunks.length = 0;
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    };
    request.on('data', collect);
    request.on('end', () => {
      const [only] = chunks;
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      if (isUtf8(body)) resolve(body.toString('utf8'));
      else reject(new PostilError('BAD_REQUEST', 'The body is not valid UTF-8'));
    });
    const lost = (): void => {
      if (!request.complete)
        reject(new PostilError('BAD_REQUEST', 'The connection closed before the body was complete'));
    };
    request.on('error', lost);
    request.on('close', lost);
  });
}

/** So much of a body that nobody wants is taken in and thrown away, for its sender to hear why nobody wants it. */
const discardedBytesMax = 64 * 1024 * 1024;

/** Whether there is no point in waiting for the rest of the body. */
export function isBeyondDiscarding(request: IncomingMessage): boolean {
  return Number(request.headers['content-length'] ?? 0) > discardedBytesMax;
}

/**
 * Takes in what is still to come of a body that was refused. Who closes the connection instead resets it for a sender that
 * is not done, and the sender never reads the answer; who does neither leaves the connection waiting.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardedBytesMax) request.destroy();
  });
  request.on('error', () => undefined);
  request.resume();
}

/** Throws BAD_REQUEST. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new PostilError('BAD_REQUEST', 'The body is not JSON', { cause: error });
  }
}
