import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { type FastifyError, fastify } from 'fastify';
import { LongText } from '../core/long-text.ts';
import { sendAnswers } from './long-answers.ts';

const BYTES = 20 * 1024 * 1024;
const WANTED = {};

test('what a client leaves untaken is bounded, and given back when it goes', async (t) => {
  const app = fastify({ forceCloseConnections: true });
  t.after(() => app.close());
  app.decorateRequest('principal', null);
  app.addHook('onSend', sendAnswers({ answer: async () => '' }));
  app.setErrorHandler((error: FastifyError & { key?: string }, _request, reply) =>
    reply.code(429).send(error.key),
  );
  const text = new LongText(['ü'.repeat(BYTES / 2)]);
  app.setReplySerializer((payload) => (payload === WANTED ? (text as never) : String(payload)));
  app.get('/', async () => WANTED);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;

  const whole = await fetch(url);
  assert.equal(whole.headers.get('content-length'), String(BYTES));
  assert.equal((await whole.arrayBuffer()).byteLength, BYTES);
  const sockets = await Promise.all(
    [1, 2, 3].map(async () => {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      await once(socket, 'readable');
      return socket;
    }),
  );
  const refused = await fetch(url);
  assert.deepEqual([refused.status, await refused.text()], [429, 'rate_limit.exceeded']);
  const head = await fetch(url, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(BYTES)]);
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
  for (const socket of sockets) socket.destroy();
  await closed;
  let again = await fetch(url);
  // The server hears of it a moment later.
  for (let tries = 0; again.status === 429 && tries < 100; tries++) again = await fetch(url);
  assert.equal(again.status, 200);
  await again.body?.cancel();
});
