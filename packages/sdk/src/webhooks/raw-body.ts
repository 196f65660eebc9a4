import { TransportError } from '../http/errors.ts';
import type { IncomingRequest, OutgoingResponse } from './node-http.ts';
import { bodyParsed } from './verify-delivery.ts';
import type { WebhookReply } from './webhook-receiver.ts';
import { WebhookRejected } from './webhook-rejected.ts';

/**
 * The bytes of a request. Bytes over the limit are discarded as they arrive.
 *
 * @throws WebhookRejected `too_large`; ConfigurationError `sdk.webhook_body_parsed` when the body was read before;
 * TransportError `sdk.webhook_aborted` when the sender hung up
 */
export async function readRawBody(request: IncomingRequest, maxBytes: number): Promise<Uint8Array> {
  if (request.readableDidRead) throw bodyParsed();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isTooLarge = Number(request.headers['content-length']) > maxBytes;
  await new Promise<void>((resolve, reject) => {
    const aborted = () => reject(hungUp());
    if (isTooLarge) {
      request.resume();
      return resolve();
    }
    request.on('data', (chunk: Uint8Array) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        isTooLarge = true;
        chunks.length = 0;
        resolve();
      }
    });
    request.once('end', resolve).once('error', aborted).once('close', aborted);
  });
  if (isTooLarge) throw new WebhookRejected('too_large');
  return joined(chunks, length);
}

export function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Answers, unless the sender has hung up or an answer was sent already. */
export function send(response: OutgoingResponse, { status, body }: WebhookReply): void {
  if (response.destroyed || response.headersSent) return;
  const headers = { 'content-type': REPLY_TYPE, 'content-length': new TextEncoder().encode(body).length };
  // The rest of a body that is too large is not read.
  response.writeHead(status, status === 413 ? { ...headers, connection: 'close' } : headers).end(body);
}

export const REPLY_TYPE = 'application/json; charset=utf-8';

function hungUp(): TransportError {
  return new TransportError({
    errorKey: 'sdk.webhook_aborted',
    message: 'The sender hung up within the body.',
  });
}
