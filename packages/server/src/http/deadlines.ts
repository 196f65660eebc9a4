import { limits } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Deadline } from '../core/deadline.ts';
import type { Timers } from '../core/timers.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where a route has none. */
    deadline: Deadline | null;
  }
  interface FastifyContextConfig {
    /** Milliseconds until its answer begins, at most, where that is not as for all others; `Infinity` when its caller bounds it. */
    answersWithin?: number;
  }
}

/** Every answer begins within ten seconds: this leaves two to a process that is held up, and to the way. */
export const ANSWER_MS = 8_000;
/** Of a route that takes a file in, or makes or reads a PDF. */
const FILE_ANSWER_MS = 60_000;

/** Gives requests their deadlines. @param mostMs for routes that say nothing else */
export function setDeadlines(app: App, timers: Timers, mostMs = ANSWER_MS): void {
  app.decorateRequest('deadline', null);
  app.addHook('onRequest', (request, reply, next) => {
    const { config, bodyLimit = 0 } = request.routeOptions;
    const ms = config?.answersWithin ?? (bodyLimit > limits.jsonBodyBytes ? FILE_ANSWER_MS : mostMs);
    if (ms !== Number.POSITIVE_INFINITY) request.deadline = new Deadline(timers, ms, reply.raw);
    next();
  });
  app.addHook('onSend', ({ deadline }, _reply, _payload, next) => {
    deadline?.answered();
    next();
  });
}

/** Bounds the handlers of all routes that are added afterwards, with what was put around them. */
export function boundHandlers(app: App): void {
  app.addHook('onRoute', (route) => {
    // The route for HEAD has the handler of the route for GET, which is bounded already.
    if (route.method === 'HEAD') return;
    const { handler } = route;
    route.handler = function (request, reply) {
      request.deadline?.begin();
      return inTime(request, () => handler.call(this, request, reply));
    };
  });
}

/** Waits for a part of what a request asks for, as long as its deadline lets it. */
export function inTime<Result>({ deadline }: FastifyRequest, work: () => Result): Result {
  return deadline === null ? work() : deadline.bound(work);
}
