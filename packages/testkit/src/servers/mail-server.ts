import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listening } from './listening.ts';

/** Instead of an answer. */
export const SILENT = Symbol('silent');

/** A mail server that answers lines as a test says; undefined is the usual answer. */
export async function mailServer(
  answer: (line: string) => string | typeof SILENT | undefined,
  greeting = '220 ready',
) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write(`${greeting}\r\n`);
    let inData = false;
    socket.on('data', (bytes) => {
      for (const line of bytes.toString().split('\r\n').filter(Boolean)) {
        if (inData && line !== '.') continue;
        const said = answer(line) ?? usual(line);
        inData = line === 'DATA' && said !== SILENT;
        if (said !== SILENT) socket.write(`${said}\r\n`);
      }
    });
  });
  const { port } = await listening(server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const usual = (line: string) =>
  line === 'DATA'
    ? '354 go on'
    : line.startsWith('EHLO')
      ? '250 hello'
      : line === 'QUIT'
        ? '221 bye'
        : '250 ok';
