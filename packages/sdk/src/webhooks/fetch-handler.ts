import { joined, REPLY_TYPE } from './raw-body.ts';
import type { WebhookReceiver, WebhookReply } from './webhook-receiver.ts';
import { WebhookRejected } from './webhook-rejected.ts';

/**
 * A handler for runtimes whose servers speak in `Request` and `Response`: Workers, Deno, Bun. Like `nodeHandler`, it
 * checks the method but not the path.
 *
 * @example
 * export default { fetch: fetchHandler(receiver) };
 */
export function fetchHandler(receiver: WebhookReceiver): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const { status, body } = await readBytes(request, receiver.maxBytes).then(
      (bytes) => receiver.handle({ headers: request.headers, body: bytes }),
      (error): WebhookReply => receiver.refuse(error),
    );
    return new Response(body, { status, headers: { 'content-type': REPLY_TYPE } });
  };
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    length += read.value.length;
    if (length > maxBytes) {
      await reader?.cancel();
      throw new WebhookRejected('too_large');
    }
    chunks.push(read.value);
  }
  return joined(chunks, length);
}
