import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { HOST } from '../platform/address.ts';
import { resetNow, TcpProxy } from './tcp-proxy.ts';

/** A server that answers each chunk with the same chunk. */
const echo = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {});
  socket.on('data', (chunk) => socket.write(chunk));
  socket.on('end', () => socket.end());
});
let proxy: TcpProxy;

before(async () => {
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
});
after(async () => {
  await proxy.stop();
  echo.close();
});
beforeEach(async () => {
  await proxy?.stop();
  proxy = await TcpProxy.start('127.0.0.1', (echo.address() as AddressInfo).port);
});

async function open(): Promise<Socket> {
  const socket = connect({ port: proxy.port, host: HOST, allowHalfOpen: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket, text: string): Promise<string> {
  const answer = once(socket, 'data');
  socket.write(text);
  return String((await answer)[0]);
}

describe('the proxy that breaks networks', () => {
  test('passes bytes and the end of a connection', async () => {
    const socket = await open();
    assert.equal(await ask(socket, 'one'), 'one');
    const ended = once(socket, 'end');
    socket.end();
    await ended;
  });

  for (const direction of ['up', 'down', 'both'] as const) {
    test(`holds back what goes ${direction}, and lets it pass afterwards`, async () => {
      const socket = await open();
      await ask(socket, 'one');
      proxy.stall(direction);
      let heard = '';
      socket.on('data', (chunk) => {
        heard += String(chunk);
      });
      socket.write('two');
      // Another connection, whose bytes would be as fast: it is held back as well.
      const other = await open();
      other.write('three');
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      assert.equal(heard, '');
      const answers = [once(socket, 'data'), once(other, 'data')];
      proxy.pass();
      await Promise.all(answers);
      assert.equal(heard, 'two');
    });
  }

  test('resets present connections and takes new ones', async () => {
    const socket = await open();
    await ask(socket, 'one');
    const failed = once(socket, 'error').catch((error) => [error]);
    proxy.reset();
    assert.equal(((await failed)[0] as NodeJS.ErrnoException).code, 'ECONNRESET');
    assert.equal(await ask(await open(), 'two'), 'two');
  });

  test('resets a socket whose end is on its way, and leaves nothing of it open', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const socket = await open();
    await ask(socket, 'one');
    const before = sockets();
    const closed = once(socket, 'close');
    socket.end();
    resetNow(socket);
    await closed;
    assert.equal(sockets(), before - 1);
  });

  test('refuses, and accepts again on the same port', async () => {
    const { port } = proxy;
    await proxy.refuse();
    const [error] = (await once(connect({ port, host: '127.0.0.1' }), 'error').catch((problem) => [
      problem,
    ])) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNREFUSED');
    await proxy.accept();
    assert.equal(proxy.port, port);
    assert.equal(await ask(await open(), 'two'), 'two');
  });

  test('keeps silent connections open without a word, while new ones work', async () => {
    const socket = await open();
    await ask(socket, 'one');
    let heard = '';
    socket.on('data', (chunk) => {
      heard += String(chunk);
    });
    socket.on('close', () => {
      heard += 'closed';
    });
    proxy.silence();
    socket.write('two');
    assert.equal(await ask(await open(), 'three'), 'three');
    proxy.pass();
    assert.equal(await ask(await open(), 'four'), 'four');
    assert.equal(heard, '');
    assert.equal(socket.destroyed, false);
  });

  test('cuts an answer after so many bytes', async () => {
    const socket = await open();
    proxy.fate = () => ({ bytes: 2, how: 'end' });
    const ended = once(socket, 'end');
    assert.equal(await ask(socket, 'one'), 'on');
    await ended;
    proxy.fate = () => ({ bytes: 0, how: 'reset' });
    const reset = await open();
    const failed = once(reset, 'error').catch((error) => [error]);
    reset.write('two');
    assert.equal(((await failed)[0] as NodeJS.ErrnoException).code, 'ECONNRESET');
  });
});
