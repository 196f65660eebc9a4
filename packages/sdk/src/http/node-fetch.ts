import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/**
 * The part of `fetch` that the transport uses, on Node's own HTTP client. The standard makes `fetch` repeat a request
 * that is answered 421 (Fetch, HTTP-network-or-cache fetch, step 16); here a 421 means another base, and its one
 * retry is the transport's to make. Redirects are not followed.
 */
export async function platformFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const { method = 'GET', body, signal } = init;
  const headers: Record<string, string> = Object.fromEntries(new Headers(init.headers));
  if (typeof body === 'string') headers['content-length'] = String(Buffer.byteLength(body));
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method, headers, ...(signal && { signal }) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      // A body that breaks off ends in `error`, never in `end`.
      incoming.on('error', reject);
      incoming.on('end', () => {
        const status = incoming.statusCode ?? 0;
        const hasBody = status >= 200 && ![204, 205, 304].includes(status);
        const received = new Headers();
        for (const [name, values] of Object.entries(incoming.headersDistinct)) {
          for (const value of values ?? []) received.append(name, value);
        }
        resolve(new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers: received }));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(typeof body === 'string' ? body : undefined);
  });
}
