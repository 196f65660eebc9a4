import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answering } from './answering.ts';

/**
 * The least a route could be: node:http alone. A GET is answered at once, a POST once its form is read, both with a small
 * JSON object. No look-up, no signature, no check of anything.
 *
 * @param argument 2: length of the text it answers, so that both sides send as much
 */
const text = 'x'.repeat(Number(process.argv[2]));
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const body = JSON.stringify({ text });
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
    const body = JSON.stringify({
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: text,
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
