import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { OnProgress } from './progress.ts';
import type { Fetch, FetchResponse } from './runtime.ts';

/**
 * The part of `fetch` that the transport uses, on Node's own HTTP client. The standard makes `fetch` repeat a request
 * that is answered 421 (Fetch, HTTP-network-or-cache fetch, step 16); here a 421 means another base, and the transport
 * makes the one retry. Redirects are not followed. `Headers` and `Response` are avoided: the first use of either loads
 * all of undici, 40 ms of CPU.
 */
export const platformFetch: Fetch = async (url, { method, headers, body, signal, onProgress }) => {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers: { ...headers, ...length }, signal }, (incoming) => {
      const chunks: Buffer[] = [];
      const total = incoming.headers['content-length'];
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        onProgress?.({ direction: 'down', bytes, total: total === undefined ? undefined : Number(total) });
      });
      // A body that breaks off ends in `error`, never in `end`.
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve(responseOf(incoming.statusCode ?? 0, incoming.headersDistinct, Buffer.concat(chunks))),
      );
    });
    outgoing.on('error', reject);
    if (onProgress === undefined || body === undefined) outgoing.end(body);
    else sendTelling(outgoing, typeof body === 'string' ? Buffer.from(body) : body, onProgress);
  });
};

/** Bytes that are handed to the socket at a time. */
const PIECE = 64 * 1024;

/** Sends a body piece by piece, each when the one before it has left. */
function sendTelling(outgoing: ClientRequest, body: Uint8Array, onProgress: OnProgress): void {
  const total = body.length;
  const sendFrom = (at: number) => {
    if (at >= total) return outgoing.end();
    const to = Math.min(at + PIECE, total);
    outgoing.write(body.subarray(at, to), (error) => {
      // The event `error` reports what went wrong.
      if (error) return;
      onProgress({ direction: 'up', bytes: to, total });
      sendFrom(to);
    });
  };
  sendFrom(0);
}

function responseOf(
  status: number,
  headers: NodeJS.Dict<string[]>,
  { buffer, byteOffset, length }: Buffer<ArrayBuffer>,
): FetchResponse {
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name.toLowerCase()]?.join(', ') ?? null },
    arrayBuffer: async () =>
      length === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + length),
  };
}
