import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError } from '../core/errors.ts';
import type { App } from './app.ts';
import type { Connections } from './connections.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Functions that say whether connections must stay open for a moment although the server closes. */
    readonly holdsOpen: (() => boolean)[];
    /** Functions that say whether a call that `answersWhileStopping` is still to come: it may need a new connection. */
    readonly awaitsCall: (() => boolean)[];
    /**
     * Goes on serving, and closes each connection with its next answer. A proxy that keeps connections and does not ask how the process is
     * then has no connection left when the server closes, and its calls meet no refusal.
     */
    drain(): void;
  }
  interface FastifyContextConfig {
    /** Answered also when the server has begun to stop. */
    answersWhileStopping?: boolean;
  }
}

const LOOK_MS = 50;
/** Seconds: by then another process answers, or this one has started again. */
const RETRY_AFTER = '2';

/**
 * How a server ends: requests in hand are answered, those that come after are refused with `platform.stopping`, and
 * connections that have nothing to do are closed.
 */
export function endInOrder(app: App, connections: Pick<Connections, 'endUnused'>): void {
  const holdsOpen: (() => boolean)[] = [];
  app.decorate('holdsOpen', holdsOpen);
  const awaitsCall: (() => boolean)[] = [];
  app.decorate('awaitsCall', awaitsCall);
  let isStopping = false;
  let isDraining = false;
  app.decorate('drain', () => {
    isDraining = true;
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    while (awaitsCall.some((awaits) => awaits())) await sleep(LOOK_MS);
    // Connections that answer a last request become idle only after closing began, and would stay open until their time-out.
    const closing = setInterval(() => {
      connections.endUnused();
      if (!holdsOpen.some((holds) => holds())) app.server.closeIdleConnections();
    }, LOOK_MS);
    app.server.once('close', () => clearInterval(closing));
  });
  app.addHook('onRequest', ({ raw, routeOptions }, reply, next) => {
    if (isDraining && raw.httpVersionMajor === 1) {
      reply.header('connection', 'close');
      return next();
    }
    if (!isStopping || routeOptions.config.answersWhileStopping === true) return next();
    reply.header('connection', 'close');
    next(stopping());
  });
}

/** The refusal of a server that is about to end. */
export function stopping(): PlatformError {
  return new PlatformError('platform.stopping', { headers: { 'retry-after': RETRY_AFTER } });
}
