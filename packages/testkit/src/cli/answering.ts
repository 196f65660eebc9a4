import { startReceiver } from '../servers/receiver.ts';

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
  const { base: url, stop } = await startReceiver(({ method = '', url = '' }, taken, response) => {
    const say = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url === '/oauth2/token')
      return say(200, { token_type: 'Bearer', access_token: 't', expires_in: 3600 });
    const body: unknown = method === 'GET' ? undefined : JSON.parse(taken.toString());
    return say(...answer({ method, url, body }));
  });
  return { url, close: () => void stop() };
}
