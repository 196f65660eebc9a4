import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as it came; `body` is the JSON of one that writes. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/** Listens as a platform that issues tokens to everybody, and answers other calls with what is given for them. */
export async function startAnswering(
  answer: (asked: Asked) => readonly [status: number, body: object],
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      const say = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (url === '/oauth2/token')
        return say(200, { token_type: 'Bearer', access_token: 't', expires_in: 3600 });
      const body: unknown = method === 'GET' ? undefined : JSON.parse(Buffer.concat(chunks).toString());
      return say(...answer({ method, url, body }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
