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
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        request.pause();
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => {
      const [only] = chunks;
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      if (isUtf8(body)) resolve(body.toString('utf8'));
      else reject(new PostilError('BAD_REQUEST', 'The body is not valid UTF-8'));
    });
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete)
        reject(new PostilError('BAD_REQUEST', 'The connection closed before the body was complete'));
    });
  });
}
