import { createServer } from 'node:http';
import { childArguments, serving } from './answering.ts';

/** Calls under `/slow` wait until so many do, and no longer than this: the platform gives up after 3 seconds. */
const HELD = Number(childArguments()[1]);
const HELD_MOST_MS = 2000;

/**
 * The least a plugin could be: it answers every call with one sealed text that it does not make. Asked, it says how many calls waited at
 * once.
 *
 * @param arguments the reply, a wrapper; how many calls under `/slow` wait for each other
 */
const body = JSON.stringify({ reply: JSON.parse(childArguments()[0] ?? 'null') });
const waiting = new Set<() => void>();
let most = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const answer = () => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      response.writeHead(200, headers).end(body);
    };
    if (!request.url?.startsWith('/slow')) return answer();
    const release = () => {
      clearTimeout(timer);
      if (waiting.delete(release)) answer();
    };
    const timer = setTimeout(release, HELD_MOST_MS);
    waiting.add(release);
    most = Math.max(most, waiting.size);
    // The memory is looked at while all of them wait.
    if (waiting.size === HELD)
      setTimeout(() => {
        for (const each of [...waiting]) each();
      }, 300);
  });
});
await serving(server, async () => most);
