import type { FastifyReply } from 'fastify';
import type { App } from './app.ts';

/**
 * What every answer carries unless its route says otherwise: answers are for their caller alone and are not stored, and
 * browsers do not guess another content type.
 */
export const defaultHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Gives every answer the default headers before anything else is done; routes replace them. */
export function addDefaultHeaders(app: App): void {
  app.addHook('onRequest', (request, reply: FastifyReply, done) => {
    reply.header('x-request-id', request.id).headers(defaultHeaders);
    done();
  });
}
