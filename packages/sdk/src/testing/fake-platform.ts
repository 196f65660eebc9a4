import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FakeRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  token: string | undefined;
  headers: IncomingMessage['headers'];
  text: string;
  json: <T>() => T;
};
/** A status with a JSON body, a string sent as it is, or `'reset'` for a broken connection. */
export type FakeAnswer =
  | { status?: number; body?: unknown; headers?: Record<string, string>; raw?: string | Uint8Array }
  | 'reset';
export type FakeRoute = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;

/** A fake platform with a few routes, by `METHOD /path`. It records its requests. */
export class FakePlatform implements AsyncDisposable {
  readonly requests: FakeRequest[] = [];
  readonly #server: Server;
  readonly #routes: Record<string, FakeRoute>;

  private constructor(routes: Record<string, FakeRoute>) {
    this.#routes = routes;
    this.#server = createServer(async (incoming, response) => {
      const request = await read(incoming);
      this.requests.push(request);
      const route = this.#routes[`${request.method} ${request.path}`];
      const answer = route
        ? await route(request)
        : { status: 404, body: { error: 'x', error_key: 'request.not_found' } };
      if (answer === 'reset') return incoming.socket.destroy();
      const { status = 200, body, headers = {}, raw } = answer;
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers });
      response.end(raw ?? (body === undefined ? undefined : JSON.stringify(body)));
    });
  }

  static async start(routes: Record<string, FakeRoute>): Promise<FakePlatform> {
    const platform = new FakePlatform(routes);
    await new Promise<void>((resolve) => platform.#server.listen(0, '127.0.0.1', resolve));
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How often a route was requested. */
  count(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  route(name: string, route: FakeRoute): void {
    this.#routes[name] = route;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** An error as the platform sends it. */
export function refusal(
  status: number,
  errorKey: string,
  more: { details?: object; headers?: Record<string, string> } = {},
): FakeAnswer {
  const { details, headers } = more;
  return { status, body: { error: 'refused', error_key: errorKey, ...details }, ...(headers && { headers }) };
}

async function read(incoming: IncomingMessage): Promise<FakeRequest> {
  const url = new URL(incoming.url ?? '/', 'http://fake');
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    token: incoming.headers.authorization?.replace('Bearer ', ''),
    headers: incoming.headers,
    text,
    json: () => JSON.parse(text),
  };
}
