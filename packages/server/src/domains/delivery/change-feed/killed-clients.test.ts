import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Event } from '@symbolon/protocol';
import { createService, dataToken, registerCompany, type TestService } from '@symbolon/testkit/actors/actors';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { startNginx, startPoolingProxy, type TestProxy } from '@symbolon/testkit/servers/proxies';
import { rounds } from '@symbolon/testkit/thoroughness';
import { without } from '@symbolon/testkit/tools';

const PATH = '/api/company-data/changes';
/** A usual run passes over some bytes and chunks: by another way it is killed at these. */
const STRIDE = rounds(3, 1);

interface Told {
  id: string;
  n: number;
}

/** A consumer that keeps what it has read whole, and is killed before it can keep the rest. */
class Consumer {
  readonly kept: Told[] = [];
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  #query(limit: number): string {
    return `${PATH}?limit=${limit}&after=${this.kept.at(-1)?.id ?? ''}`;
  }

  /** Reads so many bytes of an answer, or chunks, and is gone. Tells whether there were as many. */
  async dieAfter(limit: number, { bytes = Number.POSITIVE_INFINITY, chunks = Number.POSITIVE_INFINITY }) {
    const client = await RawClient.open(this.#url);
    client.send(this.#query(limit), this.#token);
    const { died } = await client.readPart({ bytes, chunks });
    client.socket.resetAndDestroy();
    return died;
  }

  /** Drains once. Gives how many events came. */
  async drain(limit: number): Promise<number> {
    const client = await RawClient.open(this.#url);
    client.send(this.#query(limit), this.#token);
    const { changes } = JSON.parse(await client.read()) as { changes: Told[] };
    await client.destroy();
    const known = new Set(this.kept.map(({ id }) => id));
    this.kept.push(...changes.filter(({ id }) => !known.has(id)));
    return changes.length;
  }
}

async function raise(platform: TestPlatform, service: TestService, count: number, padding = '') {
  const { person, connectionId } = await insertCustomer(platform, service);
  const events = Array.from({ length: count }, (_, n) => ({
    event: Event.documentCreated,
    companyId: service.company.id,
    serviceId: service.id,
    customer: { id: person.id, type: 'person' as const, shareCode: person.share_code },
    connectionId,
    payload: { n, name: padding },
  }));
  const { database, outbox } = platform.context;
  await database.write((writer) => outbox.raise(writer, events));
}

onPlatform('a client that is killed while it drains', (platform) => {
  const ways: [name: string, open: () => Promise<TestProxy>, skip?: string | false][] = [
    ['directly', async () => ({ url: platform().url, stop: async () => {} })],
    ['through nginx', () => startNginx(platform().url), without('nginx')],
    [
      'through nginx that buffers all the same',
      () => startNginx(platform().url, 'proxy_ignore_headers X-Accel-Buffering;'),
      without('nginx'),
    ],
    ['through a proxy that pools connections', () => startPoolingProxy(platform().url)],
  ];
  for (const [turn, [name, open, skip]] of ways.entries()) {
    const first = turn % STRIDE;
    describe(`with \`after\`, ${name}, loses nothing`, { skip }, () => {
      let proxy: TestProxy;
      let token: string;
      let service: TestService;
      before(async () => {
        proxy = await open();
        ({ service, token } = await openShop(platform()));
      });
      after(() => proxy.stop());
      const checkAll = async (consumer: Consumer, count: number, limit: number) => {
        while ((await consumer.drain(limit)) > 0);
        assert.deepEqual(
          consumer.kept.map(({ n }) => n),
          Array.from({ length: count }, (_, n) => n),
        );
        const { reader } = platform().context.database;
        assert.deepEqual(
          await reader.selectFrom('changes').select('id').where('feed', '=', service.id).execute(),
          [],
        );
      };

      test('a client that is killed at any byte of a small drain loses nothing', async () => {
        await raise(platform(), service, 400);
        const consumer = new Consumer(proxy.url, token);
        let bytes = first;
        for (let died = true; died; bytes += STRIDE) {
          died = await consumer.dieAfter(1, { bytes });
          if (bytes % 2 === 0) await consumer.drain(1);
        }
        assert.ok(bytes > 300, `${bytes} bytes`);
        await checkAll(consumer, 400, 100);
      });

      test('a client that is killed at any chunk of a large drain loses nothing', async () => {
        await raise(platform(), service, 60, 'x'.repeat(20_000));
        const consumer = new Consumer(proxy.url, token);
        for (let chunks = 1 + first; await consumer.dieAfter(60, { chunks }); chunks += STRIDE) {
          if (chunks % 8 < STRIDE) await consumer.drain(1);
        }
        await checkAll(consumer, 60, 7);
      });
    });
  }

  test('without `after`, a request of another client on the same connection confirms nothing, and a reset gives back', async (t) => {
    const proxy = await startPoolingProxy(platform().url);
    t.after(() => proxy.stop());
    const service = await createService(platform(), await registerCompany(platform()));
    const other = await createService(platform(), await registerCompany(platform()));
    const token = await dataToken(platform(), service);
    const stranger = await dataToken(platform(), other);
    await raise(platform(), service, 3);
    await raise(platform(), other, 1);
    const client = await RawClient.open(proxy.url);
    client.send(PATH, token);
    assert.equal(JSON.parse(await client.read()).changes.length, 3);
    for (const path of ['/api/company-data/whoami', PATH]) {
      const strangers = await RawClient.open(proxy.url);
      strangers.send(path, stranger);
      await strangers.read();
      await strangers.destroy();
    }
    const next = { clientId: 'next', most: 9 };
    const { changes } = platform().context;
    assert.equal((await changes.drainFeed(service.id, next)).events.length, 0, 'they are still on their way');
    proxy.reset();
    await eventually('they come again', async () => {
      const { events } = await changes.drainFeed(service.id, next);
      return events.length === 3 ? true : undefined;
    });
    await client.destroy();
  });
});
