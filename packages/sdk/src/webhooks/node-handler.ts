import type { IncomingRequest, OutgoingResponse } from './node-http.ts';
import { readRawBody, send } from './raw-body.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/**
 * A listener for `node:http`. It checks the method but not the path: call it from the route of the webhook, or use it for
 * a whole server.
 *
 * @example
 * createServer(nodeHandler(receiver)).listen(8080);
 */
export function nodeHandler(
  receiver: WebhookReceiver,
): (request: IncomingRequest, response: OutgoingResponse) => Promise<void> {
  return async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST', 'content-length': 0 }).end();
      return;
    }
    const { headers } = request;
    const reply = await readRawBody(request, receiver.maxBytes).then(
      (body) => receiver.handle({ headers, body }),
      (error) => receiver.refuse(error),
    );
    send(response, reply);
  };
}
