import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Fetch, FetchResponse } from './runtime.ts';

/**
 * The part of `fetch` that the transport uses, on Node's own HTTP client. The standard makes `fetch` repeat a request
 * that is answered 421 (Fetch, HTTP-network-or-cache fetch, step 16); here a 421 means another base, and the transport
 * makes the one retry. Redirects are not followed. `Headers` and `Response` are avoided: the first use of either loads
 * all of undici, 40 ms of CPU.
 */
export const platformFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers: { ...headers, ...length }, signal }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      // A body that breaks off ends in `error`, never in `end`.
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve(responseOf(incoming.statusCode ?? 0, incoming.headersDistinct, Buffer.concat(chunks))),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
};

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
