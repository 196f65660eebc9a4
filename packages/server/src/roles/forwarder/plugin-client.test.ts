import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../core/timers.ts';
import type { OutgoingRequest, OutgoingResult } from '../../outgoing/sender.ts';
import { FakeClock } from '../../testing/platform.ts';
import { PluginClient } from './plugin-client.ts';

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
    clock: new FakeClock(),
    timers: systemTimers,
    userAgent: 'test',
    addressRules: () => ({
      dangerouslyAllowLoopbackWebhooks: false,
      frontDoorUrl: undefined,
      forwarderUrl: undefined,
      regions: new Map(),
      ownUrl: 'https://platform.example',
    }),
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
