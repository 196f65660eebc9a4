import type { Socket } from 'node:net';
import { PlatformError } from '../core/errors.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Functions that say whether connections must stay open for a moment although the server closes. */
    readonly holdsOpen: (() => boolean)[];
  }
}

const LOOK_MS = 50;
/** Seconds: by then another process answers, or this one has started again. */
const RETRY_AFTER = '2';

/**
 * How a server ends: requests in hand are answered, those that come after are refused with `platform.stopping`, and
 * connections that have nothing to do are closed.
 */
export function endInOrder(app: App): void {
  const holdsOpen: (() => boolean)[] = [];
  app.decorate('holdsOpen', holdsOpen);
  let stopping = false;
  // Browsers open connections ahead of their requests. Node does not count those as idle.
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', (done) => {
    stopping = true;
    // Connections that answer a last request become idle only after closing began, and would stay open until their time-out.
    const closing = setInterval(() => {
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
      if (!holdsOpen.some((holds) => holds())) app.server.closeIdleConnections();
    }, LOOK_MS);
    app.server.once('close', () => clearInterval(closing));
    done();
  });
  app.addHook('onRequest', (_request, reply, next) => {
    if (!stopping) return next();
    reply.header('connection', 'close');
    next(new PlatformError('platform.stopping', { headers: { 'retry-after': RETRY_AFTER } }));
  });
}
