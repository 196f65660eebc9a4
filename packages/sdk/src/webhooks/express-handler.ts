import { ConfigurationError } from '../http/errors.ts';
import type { IncomingRequest, OutgoingResponse } from './node-http.ts';
import { readRawBody, send } from './raw-body.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** The part of an Express request that is used here. Some platforms keep the bytes of a parsed body as `rawBody`. */
export type ExpressRequest = IncomingRequest & { body?: unknown; rawBody?: unknown };

/**
 * A handler for Express. Use it without a body parser or after `express.raw({ type: () => true })`. After a parser such as
 * `express.json()` the signed bytes are lost, and `next` gets an error that says so.
 *
 * @example
 * app.post('/webhooks', expressHandler(receiver)); // before app.use(express.json())
 */
export function expressHandler(
  receiver: WebhookReceiver,
): (request: ExpressRequest, response: OutgoingResponse, next: (error?: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const { headers } = request;
      const body = bytesOf(request) ?? (await readRawBody(request, receiver.maxBytes));
      send(response, await receiver.handle({ headers, body }));
    } catch (error) {
      const reply = receiver.refuse(error);
      if (error instanceof ConfigurationError) next(error);
      else send(response, reply);
    }
  };
}

function bytesOf({ body, rawBody }: ExpressRequest): Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  return rawBody instanceof Uint8Array ? rawBody : undefined;
}
