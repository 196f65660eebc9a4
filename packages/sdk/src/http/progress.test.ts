import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { listening } from '@symbolon/testkit/servers/listening';
import { platformFetch as nodeFetch } from './node-fetch.ts';
import { type Progress, partOf } from './progress.ts';
import { Transport } from './transport.ts';
import { platformFetch as webFetch } from './web-fetch.ts';

const SIZE = 3 * 2 ** 20;
const content = new Uint8Array(SIZE).fill(120);

/** Checks that several steps lead to all. */
function isWhole(steps: readonly Progress[], { total, least }: { total: number; least: number }): void {
  assert.ok(steps.length >= least, `${steps.length} steps`);
  let last = 0;
  for (const step of steps) {
    assert.ok(step.bytes > last, 'it grows');
    assert.equal(step.total, total);
    last = step.bytes;
  }
  assert.equal(last, total);
}

describe('progress of a call', () => {
  let server: Server;
  let base: string;
  before(async () => {
    server = createServer((request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on('end', () => {
        if (request.url === '/refused') return response.writeHead(413).end('{}');
        // A length that is unknown before the end.
        if (request.url === '/chunked') return response.write('x') && response.end('y');
        const body = request.method === 'GET' ? Buffer.from(content) : Buffer.from(String(bytes));
        response.writeHead(200, { 'content-length': body.length }).end(body);
      });
    });
    ({ url: base } = await listening(server));
  });
  after(() => server.close());

  const follow = async (fetch: typeof nodeFetch, call: Parameters<Transport['send']>[1]) => {
    const steps: Progress[] = [];
    const transport = new Transport({ runtime: { fetch } });
    const answer = await transport.send(base, { ...call, onProgress: (step) => steps.push(step) });
    const of = (direction: Progress['direction']) => steps.filter((step) => step.direction === direction);
    return { answer, up: of('up'), down: of('down') };
  };
  const file = { type: 'application/octet-stream', content };

  for (const [name, fetch] of [
    ['Node', nodeFetch],
    ['other runtimes', webFetch],
  ] as const) {
    test(`${name} tells of a download in several steps`, async () => {
      const { answer, up, down } = await follow(fetch, { method: 'GET', path: '/file' });
      isWhole(down, { total: SIZE, least: 3 });
      assert.deepEqual(up, []);
      assert.ok(Buffer.from(answer.bytes).equals(content));
      const unknown = await follow(fetch, { method: 'GET', path: '/chunked' });
      assert.deepEqual(
        unknown.down.map(({ total }) => total),
        unknown.down.map(() => undefined),
      );
      assert.equal(new TextDecoder().decode(unknown.answer.bytes), 'xy');
    });
  }

  test('Node tells of an upload in several steps, and nothing is lost', async () => {
    const { answer, up } = await follow(nodeFetch, { method: 'POST', path: '/file', file });
    isWhole(up, { total: SIZE, least: 10 });
    assert.equal(new TextDecoder().decode(answer.bytes), String(SIZE));
    const text = 'é'.repeat(100_000);
    const json = await follow(nodeFetch, { method: 'POST', path: '/file', json: { text } });
    isWhole(json.up, { total: 200_000 + 11, least: 3 });
    await assert.rejects(follow(nodeFetch, { method: 'POST', path: '/refused', file }), { status: 413 });
  });

  test('fetch cannot tell how much it has sent, and says it with the answer', async () => {
    const { up } = await follow(webFetch, { method: 'POST', path: '/file', file });
    assert.deepEqual(up, [{ direction: 'up', bytes: SIZE, total: SIZE }]);
  });

  test('uploads of one file to several recipients are one progress', () => {
    const steps: Progress[] = [];
    for (const at of [0, 1, 2]) {
      const tell = partOf((step) => steps.push(step), { at, count: 3 });
      tell?.({ direction: 'up', bytes: 50, total: 100 });
      tell?.({ direction: 'up', bytes: 100, total: 100 });
      tell?.({ direction: 'down', bytes: 7, total: 7 });
    }
    isWhole(steps, { total: 300, least: 6 });
    assert.equal(partOf(undefined, { at: 0, count: 1 }), undefined);
  });
});
