import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BodyAdmission } from './body-admission.ts';

const MIB = 1024 * 1024;

const server = createServer();
before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => server.close());

/** A request with a large body whose client has gone when the caller is known. */
async function brokenRequest(): Promise<{ request: FastifyRequest; reply: FastifyReply }> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const asked = once(server, 'request');
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${MIB}\r\n\r\n`);
  const [message, response] = (await asked) as [FastifyRequest['raw'], ServerResponse];
  message.on('error', () => {});
  const closed = once(response, 'close');
  socket.destroy();
  await closed;
  return {
    request: { headers: message.headers, routeOptions: {}, principal: null, ip: '::1' } as FastifyRequest,
    reply: { raw: response } as FastifyReply,
  };
}

test('a client that goes away while its caller is looked up keeps no room', async () => {
  const bodies = new BodyAdmission();
  for (let left = 0; left < 65; left++) {
    const { request, reply } = await brokenRequest();
    assert.throws(() => bodies.admit(request, reply), { key: 'request.malformed' });
  }
});
