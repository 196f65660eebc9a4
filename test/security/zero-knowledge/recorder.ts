import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '@symbolon/testkit/servers/listening';

/** A request as it came in. */
export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Stands in front of a platform and keeps every request that passes. */
export async function startRecorder(): Promise<{
  readonly url: string;
  readonly requests: readonly Recorded[];
  pointAt(target: string): void;
  stop(): Promise<void>;
}> {
  const requests: Recorded[] = [];
  let target = '';
  const server = createServer(async (incoming, answer) => {
    const body = await buffer(incoming);
    const { method = '', url = '', headers } = incoming;
    requests.push({ method, url, headers, body: body.toString('utf8') });
    request(`${target}${url}`, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    })
      .on('error', () => answer.destroy())
      .end(body);
  });
  const { port } = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    pointAt(url) {
      target = url;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
