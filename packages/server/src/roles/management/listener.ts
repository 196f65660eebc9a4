import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ManagementAddress, managementBase } from '../../core/config-management.ts';
import { version } from '../../core/version.ts';

/** What a process answers on its management port: a status and a text, or JSON. */
export interface ManagementAnswer {
  readonly status: number;
  readonly body: object | string;
}

export type ManagementPages = Readonly<Record<string, () => Promise<ManagementAnswer>>>;

/** A port of its own: what waits at the others keeps no probe waiting. */
export interface ManagementListener {
  readonly url: string;
  stop(): Promise<void>;
}

/** Of one caller, who may never send a request, or never take its answer. */
const CALLER_MOST_MS = 10_000;
const CONNECTIONS_MOST = 64;

/** Listens for probes. @throws what listening throws */
export async function listenForProbes(
  address: ManagementAddress,
  pages: ManagementPages,
): Promise<ManagementListener> {
  const server = createServer((request, response) => void answer(request, response, pages));
  server.maxConnections = CONNECTIONS_MOST;
  server.requestTimeout = CALLER_MOST_MS;
  server.timeout = CALLER_MOST_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  // It serves as long as the process has something else to do.
  server.unref();
  return {
    url: managementBase({ ...address, port: (server.address() as AddressInfo).port }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: ManagementPages,
): Promise<void> {
  request.resume();
  const path = (request.url ?? '').split('?')[0] ?? '';
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const { status, body } =
    page === undefined
      ? { status: 404, body: { error: `There are ${Object.keys(pages).join(', ')}.` } }
      : isRead
        ? await page().catch((error: unknown) => ({ status: 500, body: { error: String(error) } }))
        : { status: 405, body: { error: 'Only GET is answered here.' } };
  const [type, text] =
    typeof body === 'string'
      ? ['text/plain; version=0.0.4; charset=utf-8', body]
      : ['application/json; charset=utf-8', `${JSON.stringify({ ...body, version })}\n`];
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
