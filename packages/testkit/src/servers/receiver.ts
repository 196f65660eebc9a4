import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { listening } from './listening.ts';

/** An HTTP endpoint on this machine, on which webhooks and calls come in whole; answering is the matter of whoever starts it. */
export interface Receiver {
  readonly port: number;
  /** Its base. */
  readonly base: string;
  /** Where webhooks go. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * @param take called with each complete request and its body
 * @param options.tls its certificate, when it is to be reached by https
 * @param options.begins called with each request before its body
 */
export async function startReceiver(
  take: (request: IncomingMessage, body: Buffer, response: ServerResponse) => unknown,
  options: {
    tls?: Pick<ServerOptions, 'cert' | 'key'> | undefined;
    begins?: (request: IncomingMessage, response: ServerResponse) => void;
  } = {},
): Promise<Receiver> {
  const { tls, begins } = options;
  const listener: RequestListener = (request, response) => {
    response.on('error', () => {});
    request.on('error', () => {});
    begins?.(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.complete) take(request, Buffer.concat(chunks), response);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const { port } = await listening(server);
  const base = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  return {
    port,
    base,
    url: `${base}/hook`,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
