import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answering } from './answering.ts';

/**
 * The least a token route could be: node:http alone reads a form and answers JSON. No look-up, no signature, no check of
 * anything.
 *
 * @param argument 2: length of the token it answers, so that both sides send as much
 */
const token = 'x'.repeat(Number(process.argv[2]));
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
    const body = JSON.stringify({
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: token,
      client_id: form.get('client_id'),
    });
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    });
    response.end(body);
  });
});
server.keepAliveTimeout = 72_000;
server.listen(0, '127.0.0.1', () => {
  answering(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  });
});
