import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';

/**
 * The bound of what a server on `node:http` can do: reads the body of every request and answers with the bytes of one
 * file, whatever was asked. Its argument is the file.
 */
const body = readFileSync(process.argv[2] ?? '');

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, {
      'Content-Type': 'application/json;charset=utf-8',
      'Content-Length': body.length,
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(JSON.stringify({ message: 'ready', url: `http://127.0.0.1:${port}` }));
});
process.on('SIGTERM', () => process.exit(0));
