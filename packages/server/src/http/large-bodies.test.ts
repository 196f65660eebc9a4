import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { readdir, readlink, truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { Exact, Large } from '@symbolon/protocol';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { eventually } from '@symbolon/testkit/platform/eventually';
import fc from 'fast-check';
import { pino } from 'pino';
import { Type } from 'typebox';
import { Cookies } from '../access/cookies.ts';
import { FailureLimit } from '../access/failure-limit.ts';
import { RateLimits } from '../access/rate-limits.ts';
import { systemClock } from '../core/clock.ts';
import { createIds } from '../core/ids.ts';
import { noInstruments } from '../core/instruments.ts';
import type { LargeSource, LargeText } from '../core/large-text.ts';
import { systemTimers } from '../core/timers.ts';
import { noMaintenance } from './admission.ts';
import { type App, createApp } from './app.ts';
import { readJsonBody } from './json-body.ts';
import { type LargeValue, sendLarge } from './large-answer.ts';
import { LargeBody } from './large-bodies.ts';
import { routesOf } from './routes.ts';
import { Spool } from './spool.ts';
import { writtenBody } from './written-body.ts';

const MIB = 1024 * 1024;
const unlimited = new Proxy({}, { get: () => 0 }) as never;
const Body = Exact({
  name: Type.Optional(Type.String()),
  value: Type.Optional(Large('wrapper', 'sealed')),
  file: Type.Optional(Large('text', 'open')),
  pdf: Type.Optional(Large('memory', 'kept in memory')),
});

/** Takes bodies in and tells of their large members. */
async function startApp() {
  const folder = temporaryFolder();
  const ids = createIds(systemClock);
  const stored = new Map<string, Buffer>();
  let seen: LargeText[] = [];
  const blobs = {
    async keepStream(source: LargeSource) {
      stored.set(source.sha256, await buffer(source.open()));
      return { hash: source.sha256, bytes: source.bytes };
    },
  };
  const app: App = createApp({
    authenticator: {} as never,
    cookies: new Cookies(() => false),
    issuer: () => '',
    regions: { apiUrl: () => undefined, names: [] },
    maintenance: noMaintenance,
    rateLimits: new RateLimits(unlimited),
    failures: new FailureLimit(unlimited),
    ids,
    log: pino({ level: 'silent' }),
    trustedProxies: undefined,
    corsOrigins: new Set(),
    instruments: noInstruments,
    securityLog: { refused: () => {} } as never,
    connections: { most: 0, perAddress: 0 },
    timers: systemTimers,
    availability: { failed: () => false },
    largeBodies: { folder: { path: folder.path, ids }, blobs },
    checkResponses: false,
  });
  const route = routesOf(app, { tags: ['platform'], access: 'open' });
  route(
    'POST /texts',
    { summary: 'Takes texts', body: Body, bodyLimit: 32 * MIB, ok: Type.Unknown() },
    async ({ body }) => {
      const texts = [body.value, body.file, body.pdf].filter((text) => text !== undefined);
      seen = texts;
      const spooled = await readdir(folder.path);
      const told = texts.map(async (text) => ({ ...(await text.store()), sealed: text.sealed }));
      const again = await writtenBody(body);
      if (again !== undefined) stored.set('again', await buffer(again.open()));
      return { name: body.name, spooled, texts: await Promise.all(told), again: again?.bytes };
    },
  );
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, url, stored, folder, seen: () => seen };
}

const wrapper = (bytes: Buffer) => ({
  _enc: 1,
  k: randomBytes(256).toString('base64'),
  iv: randomBytes(12).toString('base64'),
  d: bytes.toString('base64'),
});

/** How many files of a folder this process has open, also those without a name. */
async function openIn(folder: string): Promise<number> {
  const open = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(open)).filter((path) => path.startsWith(folder)).length;
}

describe('large members of a body', () => {
  let server: Awaited<ReturnType<typeof startApp>>;
  before(async () => {
    server = await startApp();
  });
  after(async () => {
    await server.app.close();
    server.folder[Symbol.dispose]();
  });
  const send = async (body: string | Readable) => {
    const answer = await fetch(`${server.url}/texts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body as never,
      duplex: 'half',
    } as RequestInit);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const kept = (sha256: string) => server.stored.get(sha256) ?? Buffer.alloc(0);

  test('each kind of text arrives whole, and no file of it has a name', async () => {
    const file = `data:image/png;base64,${randomBytes(2 * MIB).toString('base64')} "\\ä€😀`;
    const sealed = wrapper(randomBytes(3 * MIB + 1));
    const { body } = await send(
      JSON.stringify({ file, name: 'a', value: JSON.stringify(sealed), pdf: 'x'.repeat(MIB) }),
    );
    const [first, second, third] = body.texts;
    assert.deepEqual([body.name, body.spooled, first.sealed, second.sealed], ['a', [], true, false]);
    assert.ok(kept(first.hash).equals(Buffer.from(JSON.stringify(sealed))));
    assert.equal(first.hash, hash('sha256', JSON.stringify(sealed), 'hex'));
    assert.ok(kept(second.hash).equals(Buffer.from(file)));
    assert.equal(second.bytes, Buffer.byteLength(file));
    assert.ok(kept(third.hash).equals(Buffer.from('x'.repeat(MIB))));
    // As it is written for another region.
    const again = kept('again');
    assert.equal(again.length, body.again);
    const members = JSON.parse(again.toString());
    assert.deepEqual(Object.keys(members).sort(), ['file', 'name', 'pdf', 'value']);
    assert.ok(members.file === file && members.value === JSON.stringify(sealed) && members.name === 'a');
  });

  test('an encrypted value is stored in one form, however it is written', async () => {
    const { _enc, k, iv, d } = wrapper(randomBytes(200_000));
    const text = JSON.stringify({ d, iv, _enc, k }, null, 2).replaceAll('/', '\\/');
    const { body } = await send(JSON.stringify({ value: text }));
    assert.ok(kept(body.texts[0].hash).equals(Buffer.from(JSON.stringify({ _enc, k, iv, d }))));
  });

  test('what is no encrypted value is recognised', async () => {
    const good = wrapper(randomBytes(100));
    const wrong = [
      'text',
      '{}',
      '[]',
      '{"_enc":1',
      JSON.stringify({ ...good, _enc: 2 }),
      JSON.stringify({ ...good, more: 1 }),
      JSON.stringify({ ...good, k: 'AAAA' }),
      JSON.stringify({ ...good, iv: good.k }),
      JSON.stringify({ ...good, d: 'AAAA' }),
      JSON.stringify({ ...good, d: `AA==${good.d}` }),
      JSON.stringify({ ...good, d: good.d.slice(0, -1) }),
      JSON.stringify({ ...good, d: 7 }),
      // At the end of a piece and after it.
      ...['=', '-', '"', '\u0001', 'ä'].flatMap((sign) =>
        [65_533, 65_536, 70_000].map((at) => {
          const d = 'A'.repeat(100_000);
          return JSON.stringify({ ...good, d: d.slice(0, at) + sign + d.slice(at + 1) });
        }),
      ),
      JSON.stringify({ ...good, d: `${'A'.repeat(99_999)}B=` }),
      JSON.stringify({ ...good, d: `${'A'.repeat(99_998)}B=` }),
      JSON.stringify({ ...good, d: `${'A'.repeat(99_997)}===` }),
    ];
    for (const value of wrong) {
      const { status, body } = await send(JSON.stringify({ value }));
      assert.deepEqual([status, body.texts?.[0].sealed], [200, false], value.slice(0, 30));
    }
  });

  test('bodies that are wrong are refused, and nothing is kept of them', async () => {
    const wrong: [string, number, string][] = [
      ['{"value":7}', 400, 'request.invalid'],
      ['{"file":null}', 400, 'request.invalid'],
      ['{"file":""}', 400, 'request.invalid'],
      ['{"file":"a","file":"b"}', 400, 'request.malformed'],
      ['{"fil\\u0065":"a"}', 400, 'request.malformed'],
      ['{"file":"a\\u0000"}', 400, 'request.malformed'],
      [`{"file":"${'a'.repeat(MIB)}`, 400, 'request.malformed'],
      [`{"name":"${'a'.repeat(MIB + 1)}"}`, 413, 'request.too_large'],
      [`{"more":{"file":"a"}}`, 400, 'request.invalid'],
    ];
    for (const [text, status, key] of wrong) {
      const answer = await send(text);
      assert.deepEqual([answer.status, answer.body.error_key], [status, key], text.slice(0, 40));
    }
  });

  test('a text is gone when its request was answered', async () => {
    await send(JSON.stringify({ file: 'x'.repeat(MIB) }));
    const [text] = server.seen();
    assert.ok(text);
    while (true) {
      try {
        text.open().destroy();
      } catch {
        break;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test('nothing is left of an upload that breaks off', { skip: process.platform !== 'linux' }, async () => {
    const { port } = new URL(server.url);
    // What was left open is closed with a warning when its memory is wanted.
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => void warnings.push(message);
    process.on('warning', onWarning);
    const head =
      'POST /texts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n';
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const sockets = Array.from({ length: 3 }, () => connect(Number(port), '127.0.0.1'));
      for (const socket of sockets) socket.on('error', () => {}).write(`${head}{"file":"${'x'.repeat(MIB)}`);
      await eventually('their files are open', async () =>
        (await openIn(server.folder.path)) === sockets.length ? true : undefined,
      );
      for (const socket of sockets) socket[end]();
      await eventually('none is open', async () =>
        (await openIn(server.folder.path)) === 0 ? true : undefined,
      );
    }
    process.off('warning', onWarning);
    assert.deepEqual([warnings, await readdir(server.folder.path)], [[], []]);
  });

  test('ten texts at once take little memory', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    let most = 0;
    const body = async function* () {
      yield Buffer.from('{"file":"');
      for (let at = 0; at < 427; at++) {
        yield piece;
        most = Math.max(most, process.memoryUsage().arrayBuffers);
      }
      yield Buffer.from('"}');
    };
    const started = process.memoryUsage().arrayBuffers;
    const deps = { folder: { path: server.folder.path, ids: createIds(systemClock) }, blobs: {} as never };
    const read = async () => {
      const largeBody = new LargeBody(new Map([['file', 'text']]), deps);
      const request = {
        headers: {},
        routeOptions: { bodyLimit: 32 * MIB, config: {} },
        principal: null,
        ip: '::1',
        largeBody,
      };
      const { file } = (await readJsonBody(request as never, Readable.from(body()))) as { file: LargeText };
      assert.equal(file.bytes, 427 * piece.length);
      await largeBody.discard();
    };
    await Promise.all(Array.from({ length: 10 }, read));
    assert.ok(most - started < 64 * MIB, `${(most - started) / MIB} MiB`);
  });
});

describe('large members of an answer', () => {
  const reply = (type = 'application/json') => {
    const headers: Record<string, unknown> = { 'content-type': type };
    return {
      getHeader: (name: string) => headers[name],
      header: (name: string, value: unknown) => {
        headers[name] = value;
      },
      type: (value: string) => {
        headers['content-type'] = value;
      },
      headers,
    };
  };
  /** The answer, after its announced length was compared with it. */
  const sent = async (text: string, form: LargeValue['form'], type: string, size: number) => {
    const to = reply(type);
    const bytes = Buffer.from(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const open = async () => ({
      bytes: bytes.length,
      stream: Readable.from(pieces, { objectMode: false }),
    });
    const stream = await sendLarge(to as never, { encrypted: true, name: 'a"b' }, ['value', { open, form }]);
    const answer = await buffer(stream);
    assert.equal(to.headers['content-length'], answer.length);
    return answer.toString();
  };

  test('texts and encrypted values come out whole, in JSON and XML, in pieces of any size', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', '\\', '\n', '<', '&', 'ä', '€', '😀'),
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 600 }), async (plain, size) => {
        assert.deepEqual(JSON.parse(await sent(plain, 'text', 'application/json', size)), {
          encrypted: true,
          name: 'a"b',
          value: plain,
        });
        const sealed = wrapper(Buffer.from(plain.repeat(10)));
        const stored = JSON.stringify(sealed);
        const whole = JSON.parse(await sent(stored, 'wrapper', 'application/json', size));
        assert.deepEqual(whole.value, sealed);
        const asText = JSON.parse(await sent(stored, 'wrapper_text', 'application/json', size));
        assert.equal(asText.value, stored);
        const xml = await sent(stored, 'wrapper', 'application/xml', size);
        const { k, iv, d } = sealed;
        assert.ok(
          xml.includes(`<value><_enc>1</_enc><k>${k}</k><iv>${iv}</iv><d>${d}</d></value></response>`),
        );
        const xmlText = await sent(stored, 'wrapper_text', 'application/xml', size);
        assert.ok(xmlText.includes(`<value>${stored.replaceAll('"', '&quot;')}</value></response>`));
      }),
      { numRuns: 50 },
    );
  });
});

test('a file that has become shorter than what came in is never taken for the whole', {
  skip: process.platform !== 'linux' && 'files without a name are found by Linux alone',
}, async (t) => {
  const { path: folder } = temporaryFolder(t);
  const spool = new Spool({ path: folder, ids: createIds(systemClock) });
  t.after(() => spool.discard());
  spool.write(randomBytes(MIB));
  await spool.written();
  for (const fd of await readdir('/proc/self/fd')) {
    const path = await readlink(`/proc/self/fd/${fd}`).catch(() => '');
    if (path.startsWith(folder)) await truncate(`/proc/self/fd/${fd}`, MIB / 2);
  }
  await assert.rejects(
    spool.read(() => {}),
    /has become shorter/,
  );
  await assert.rejects(buffer(spool.open()), /has become shorter/);
});
