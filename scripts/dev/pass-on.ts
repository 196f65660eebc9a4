import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const AGAIN_MS = 100;
/** They are of one connection, and there are two. */
const OF_ONE_CONNECTION = new Set(['connection', 'keep-alive']);

/**
 * Passes a request on to the platform on a port of this machine, and the answer back as it comes, streams too. A platform that
 * is starting again is waited for, so that a page which reloads meanwhile finds it.
 */
export async function passOn(asked: IncomingMessage, answer: ServerResponse, port: number): Promise<void> {
  const { method, url, rawHeaders } = asked;
  const gone = new AbortController();
  answer.once('close', () => gone.abort());
  const socket = await connected(port, gone.signal);
  if (socket === undefined) return;
  const headers = [...passed(rawHeaders), 'connection', 'close'];
  const sent = request({ createConnection: () => socket, method, path: url, headers });
  answer.once('close', () => sent.destroy());
  sent.once('response', (given) => {
    answer.writeHead(given.statusCode ?? 502, given.statusMessage, passed(given.rawHeaders));
    answer.flushHeaders();
    given.once('error', () => answer.destroy());
    given.pipe(answer);
  });
  sent.once('error', (error) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502, { 'content-type': 'text/plain' }).end(`The platform: ${error.message}\n`);
  });
  asked.pipe(sent);
}

/** @returns undefined when the caller has gone */
async function connected(port: number, gone: AbortSignal): Promise<Socket | undefined> {
  while (!gone.aborted) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isOpen) return socket;
    await setTimeout(AGAIN_MS);
  }
  return undefined;
}

/** Headers as they were written, name after value. */
function passed(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !OF_ONE_CONNECTION.has(raw[index - (index % 2)]?.toLowerCase() ?? ''));
}
