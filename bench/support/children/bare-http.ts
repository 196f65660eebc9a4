import { createServer } from 'node:http';
import { childArguments, serving } from './answering.ts';

/**
 * The least a route could be: node:http alone. A GET is answered at once, a POST once its form is read, both with a small
 * JSON object. No look-up, no signature, no check of anything.
 *
 * @param argument 1: length of the text it answers, so that both sides send as much
 */
const text = 'x'.repeat(Number(childArguments()[0]));
const server = createServer((request, response) => {
  const send = (answer: object, more: Record<string, string> = {}) => {
    const body = JSON.stringify(answer);
    const type = 'application/json; charset=utf-8';
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body), ...more };
    response.writeHead(200, headers).end(body);
  };
  if (request.method === 'GET') return send({ text });
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
    const token = { token_type: 'Bearer', expires_in: 3600, access_token: text };
    send({ ...token, client_id: form.get('client_id') }, { 'cache-control': 'no-store' });
  });
});
await serving(server);
