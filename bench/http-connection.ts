import { connect, type Socket } from 'node:net';

const readBufferBytes = 256 * 1024;
const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** What is known of an answer: the status, and whether each text looked for stood in its body. */
export type Answer = { readonly status: number; readonly hasWanted: boolean; readonly hasUnwanted: boolean };

export type HttpConnection = {
  /** Sends one whole request; the answer goes to `onAnswer`. One at a time. */
  send(request: Buffer): void;
  close(): void;
};

/**
 * A persistent HTTP/1.1 connection that does no more than a load generator needs, so that the server is what is measured:
 * bytes go out as they are, of an answer only the status, the length and two texts are looked at. A text that lies across
 * two pieces of an answer is not seen, so `wanted` should stand near the beginning.
 */
export function openConnection(
  port: number,
  texts: { readonly wanted: Buffer; readonly unwanted: Buffer },
  onAnswer: (answer: Answer) => void,
  onFailure: (error: Error) => void,
): Promise<HttpConnection> {
  /** Bytes of the head so far while it is not complete. */
  let head: Buffer | undefined;
  let isInBody = false;
  let status = 0;
  /** Bytes of the body to come; -1: it comes in chunks and ends with an empty one. */
  let left = 0;
  let hasWanted = false;
  let hasUnwanted = false;
  /** The last bytes of a body that comes in chunks. */
  let tail: Buffer = Buffer.alloc(0);

  function onHead(text: string): void {
    status = Number(text.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    left = length === undefined ? -1 : Number(length);
    isInBody = true;
    hasWanted = false;
    hasUnwanted = false;
    tail = Buffer.alloc(0);
  }

  function onBytes(bytes: Buffer): void {
    let body = bytes;
    if (!isInBody) {
      const all = head === undefined ? bytes : Buffer.concat([head, bytes]);
      const end = all.indexOf(headEnd);
      if (end < 0) {
        head = Buffer.from(all);
        return;
      }
      head = undefined;
      onHead(all.toString('latin1', 0, end));
      body = all.subarray(end + 4);
    }
    hasWanted ||= body.includes(texts.wanted);
    hasUnwanted ||= body.includes(texts.unwanted);
    let isComplete = false;
    if (left >= 0) {
      left -= body.length;
      isComplete = left <= 0;
    } else {
      tail = Buffer.concat([tail, body.subarray(-5)]).subarray(-5);
      isComplete = tail.equals(lastChunk);
    }
    if (!isComplete) return;
    isInBody = false;
    onAnswer({ status, hasWanted, hasUnwanted });
  }

  return new Promise((resolve, reject) => {
    let isClosing = false;
    const failed = (error: Error): void => {
      reject(error);
      if (!isClosing) onFailure(error);
    };
    const connection: HttpConnection = {
      send: (request) => void socket.write(request),
      close() {
        isClosing = true;
        socket.destroy();
      },
    };
    const socket: Socket = connect(
      {
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(readBufferBytes),
          callback(length, buffer) {
            onBytes(Buffer.from(buffer.buffer, buffer.byteOffset, length));
            return true;
          },
        },
      },
      () => resolve(connection),
    );
    socket.on('error', failed);
    socket.on('close', () => failed(new Error('The server closed the connection')));
  });
}
