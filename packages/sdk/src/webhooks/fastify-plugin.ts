import type { DeliveryHeaders } from './headers.ts';
import { REPLY_TYPE } from './raw-body.ts';
import type { WebhookReceiver, WebhookReply } from './webhook-receiver.ts';
import { WebhookRejected } from './webhook-rejected.ts';

/** The part of a Fastify instance that is used here. */
export type FastifyScope = {
  removeAllContentTypeParsers: () => unknown;
  addContentTypeParser: (
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ) => unknown;
  setErrorHandler: (
    handler: (error: unknown, request: unknown, reply: FastifyReplyPart) => unknown,
  ) => unknown;
  post: (
    path: string,
    handler: (
      request: { headers: DeliveryHeaders; body: unknown },
      reply: FastifyReplyPart,
    ) => Promise<unknown>,
  ) => unknown;
};

type FastifyReplyPart = {
  code: (status: number) => { header: (name: string, value: string) => { send: (body: string) => unknown } };
};

/**
 * A Fastify plugin with one POST route at its prefix. Within the plugin every content type arrives as raw bytes; the rest
 * of the application keeps its parsers.
 *
 * @example
 * await app.register(fastifyPlugin(receiver), { prefix: '/webhooks' });
 */
export function fastifyPlugin(receiver: WebhookReceiver): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    const options = { parseAs: 'buffer', bodyLimit: receiver.maxBytes } as const;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', options, (_, body, done) => done(null, body));
    scope.setErrorHandler((error, _, reply) => answer(reply, receiver.refuse(known(error))));
    scope.post('/', async ({ headers, body }, reply) => {
      // Fastify calls no parser for a request without body.
      const bytes = (body ?? new Uint8Array()) as Uint8Array;
      return answer(reply, await receiver.handle({ headers, body: bytes }));
    });
  };
}

function answer(reply: FastifyReplyPart, { status, body }: WebhookReply): unknown {
  return reply.code(status).header('content-type', REPLY_TYPE).send(body);
}

/** Fastify refuses some bodies before any handler sees them. */
function known(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!code.startsWith('FST_ERR_CTP_')) return error;
  return new WebhookRejected(code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? 'too_large' : 'body_malformed');
}
