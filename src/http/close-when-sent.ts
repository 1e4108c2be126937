import type { Server, ServerResponse } from 'node:http';

/** Of a server that closes: lets go of the connection of an answer once it is sent, which a client would keep for further requests. */
export function closeWhenSent(server: Server, response: ServerResponse): void {
  // The server takes the connection to be at rest only after all who wait for the end of the answer were told.
  const close = (): void => void setImmediate(() => server.closeIdleConnections());
  if (response.writableFinished) close();
  else response.once('finish', close);
}
