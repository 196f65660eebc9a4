import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fastify } from 'fastify';
import { Type } from 'typebox';
import type { PartedPage } from '../core/parted-page.ts';
import { sendPage } from './parted-page.ts';

const PARTS = 200;
const TEXT = 'x'.repeat(1024 * 1024);

describe('a page in parts', () => {
  const cleanUps: (() => unknown)[] = [];
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  /** Serves one page; tells how many parts were read. */
  async function serve(part: (index: number) => Promise<string[]>, parts = PARTS) {
    const app = fastify({ forceCloseConnections: true });
    app.setSerializerCompiler(() => JSON.stringify);
    let read = 0;
    app.get('/', (_request, reply) => {
      const page: PartedPage<string> = {
        total: parts,
        parts: Array.from({ length: parts }, (_, index) => () => {
          read++;
          return part(index);
        }),
      };
      return sendPage(reply, Type.String(), page);
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    cleanUps.push(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    return { port, url: `http://127.0.0.1:${port}/`, read: () => read };
  }

  test('is the same text as one that is made at once', async () => {
    const { url } = await serve(async (index) => [`a${index}`, `"${index}`]);
    const expected = Array.from({ length: PARTS }, (_, index) => [`a${index}`, `"${index}`]).flat();
    assert.equal(await (await fetch(url)).text(), JSON.stringify({ total: PARTS, items: expected }));
  });

  test('waits for a client that does not take it, and goes on when it does', async () => {
    const { port, read } = await serve(async () => [TEXT]);
    const socket = connect(port, '127.0.0.1').pause();
    cleanUps.push(() => socket.destroy());
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    // What the kernel takes is a few MiB. Each turn would write one part and more if nothing held it back.
    let turns = 0;
    for (let before = -1; before !== read() || read() === 0 || turns < 500; turns++) {
      before = read();
      await turn();
    }
    assert.ok(read() < PARTS / 2, `${read()} parts`);
    let size = 0;
    for await (const chunk of socket) size += (chunk as Buffer).length;
    assert.equal(read(), PARTS);
    assert.ok(size > PARTS * TEXT.length);
  });

  test('is not read further when the client is gone', async () => {
    const { port, read } = await serve(async () => [TEXT]);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    let before = -1;
    for (let turns = 0; before !== read() || turns < 500; turns++) {
      before = read();
      await turn();
    }
    assert.ok(read() < PARTS, `${read()} parts`);
  });

  test('breaks the connection when a part fails, so that no client takes half of it for all', async () => {
    const { url } = await serve(async (index) => {
      if (index === 3) throw new Error('the database is gone');
      return [TEXT];
    }, 5);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
  });
});
