import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { generateKeyPair, sealValue } from '@symbolon/crypto';
import { limits } from '@symbolon/protocol';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { FakeClock } from '@symbolon/testkit/platform/platform';
import type { OutgoingRequest, OutgoingResult } from '../../outgoing/sender.ts';
import { readManifest } from './manifest.ts';
import { PluginClient } from './plugin-client.ts';

const surroundings = {
  clock: new FakeClock(),
  userAgent: 'test',
  addressRules: () => ({
    dangerouslyAllowLoopbackWebhooks: false,
    frontDoorUrl: undefined,
    forwarderUrl: undefined,
    regions: new Map(),
    ownUrl: 'https://platform.example',
  }),
};

test('slow plugins of one company leave room for those of others', async () => {
  const waiting: (() => void)[] = [];
  const sent: string[] = [];
  const client = new PluginClient({
    sender: {
      send: ({ party = '' }: OutgoingRequest) => {
        sent.push(party);
        return new Promise<OutgoingResult>((resolve) => {
          waiting.push(() => resolve({ kind: 'failed', reason: 'timeout', detail: '', durationMs: 0 }));
        });
      },
    },
    ...surroundings,
  });
  const call = (id: string, company_id: string) =>
    client
      .call({ id, company_id, base: 'https://plugin.example', token: null }, 'request')
      .catch(({ key }: { key: string }) => key);
  const calls = Array.from({ length: 2_000 }, (_, index) => call(`slow ${index % 20}`, 'one'));
  calls.push(call('other', 'two'));
  assert.equal(sent.filter((party) => party === 'one').length, 500);
  assert.equal(sent.at(-1), 'two');
  for (const end of waiting) end();
  const answers = await Promise.all(calls);
  assert.equal(answers.filter((key) => key === 'plugin.busy').length, 1_500);
  assert.equal(answers.at(-1), 'plugin.not_responding');
});

test('a plugin has so long to answer, and less to describe itself once more', async () => {
  const timers = new FakeTimers();
  const answered = (status: number, body: unknown): OutgoingResult => ({
    kind: 'answered',
    status,
    body: Buffer.from(JSON.stringify(body)),
    durationMs: 0,
  });
  /** What a call comes to whose last request is answered at this time, and not before. */
  const calledFor = async (ms: number, first: OutgoingResult | undefined, last: OutgoingResult) => {
    const urls: string[] = [];
    let end = (_: OutgoingResult) => {};
    const client = new PluginClient({
      ...surroundings,
      sender: {
        send: async ({ url, mostMs = 0 }: OutgoingRequest) => {
          urls.push(url);
          if (first !== undefined && urls.length === 1) return first;
          return new Promise<OutgoingResult>((resolve) => {
            const cancel = timers.after(mostMs, () =>
              resolve({ kind: 'failed', reason: 'timeout', detail: '', durationMs: ms }),
            );
            end = (result) => {
              cancel();
              resolve(result);
            };
          });
        },
      },
    });
    const plugin = { id: 'slow', company_id: 'one', base: 'https://plugin.example', token: null };
    const call = client.call(plugin, 'request').then(
      () => 'answered',
      ({ key }: { key: string }) => key,
    );
    // Until the request that waits is sent.
    await setImmediate();
    assert.equal(urls.at(-1), `https://plugin.example/${first === undefined ? 'call' : 'manifest'}`);
    timers.advance(ms);
    end(last);
    const came = await call;
    assert.equal(timers.size, 0);
    return came;
  };
  const { publicKey } = await generateKeyPair();
  const reply = answered(200, { reply: await sealValue('{}', publicKey) });
  assert.equal(await calledFor(limits.pluginCallMs - 1, undefined, reply), 'answered');
  assert.equal(await calledFor(limits.pluginCallMs, undefined, reply), 'plugin.not_responding');
  const changed = answered(409, { error: 'key_unknown' });
  const field_types = [{ key: 'street', label: 'Street' }];
  const manifest = answered(200, { name: 'Streets', public_key: publicKey, field_types });
  assert.equal(await calledFor(limits.pluginRefetchMs - 1, changed, manifest), 'answered');
  assert.equal(await calledFor(limits.pluginRefetchMs, changed, manifest), 'plugin.not_responding');
  proves('limit:pluginCallMs', 'limit:pluginRefetchMs');
});

test('a manifest may begin with a byte order mark', async () => {
  const { publicKey } = await generateKeyPair();
  const text = JSON.stringify({
    name: 'Streets',
    public_key: publicKey,
    field_types: [{ key: 'a', label: 'A' }],
  });
  const read = await readManifest(Buffer.from(`\ufeff${text}`));
  assert.ok('manifest' in read, JSON.stringify(read));
});
