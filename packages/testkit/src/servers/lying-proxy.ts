import { createServer } from 'node:http';
import { listening } from './listening.ts';

/** A call as it went through, with the body of its request. */
export interface ProxiedCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Says something else than the platform. @param answer the JSON of the platform's answer; it is changed in place, or another one is given */
export type Lie = (answer: unknown, call: ProxiedCall) => unknown;

/** A proxy that turns against the users of the platform behind it. */
export interface LyingProxy {
  readonly url: string;
  /** What clients sent since it was last emptied. */
  readonly calls: ProxiedCall[];
  lie: Lie | undefined;
  stop(): Promise<void>;
}

/** It passes everything on, with its own address in the place of the platform's, until a test makes it lie. */
export async function startLyingProxy(target: string): Promise<LyingProxy> {
  const calls: ProxiedCall[] = [];
  let lie: Lie | undefined;
  let url = '';
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const sent = Buffer.concat(parts);
    const { method = 'GET', url: path = '/' } = incoming;
    const call = { method, path, body: jsonOf(sent.toString()) };
    calls.push(call);
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers;
    const answer = await fetch(target + path, {
      method,
      headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
      redirect: 'manual',
      ...(sent.length > 0 && { body: sent }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    const json = type.includes('json') ? jsonOf(bytes.toString().replaceAll(target, url)) : undefined;
    const told = json === undefined ? bytes : JSON.stringify(lie?.(json, call) ?? json);
    const kept = ['content-type', 'x-request-id', 'location', 'set-cookie'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    outgoing.writeHead(answer.status, Object.fromEntries(kept));
    outgoing.end(answer.status === 204 ? undefined : told);
  });
  ({ url } = await listening(server));
  return {
    url,
    calls,
    get lie() {
      return lie;
    },
    set lie(next) {
      lie = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
