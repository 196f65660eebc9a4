import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { Passes } from './passes.ts';

const keys = {
  current: 1,
  has: (version: number) => version === 1,
  key: () => createSecretKey(Buffer.alloc(32, 1)),
};
const content = { company_id: 'company', region_url: 'https://symbolon.dev', plugins: [] };

function passesAt(start = 0) {
  let now = start;
  const passes = new Passes({ keys, clock: { now: () => now }, ids: { uuid: () => 'id' } as never });
  return {
    passes,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

test('a pass opens what it is for, until it ends', () => {
  const { passes, advance } = passesAt();
  const pass = passes.mint('call', content);
  assert.equal(passes.open('registry', pass), undefined);
  advance(limits.pluginPassMs - 1);
  assert.equal(passes.open('call', pass)?.company_id, 'company');
  advance(1);
  assert.equal(passes.open('call', pass), undefined);
});

test('a report is taken within a minute, and is no pass', () => {
  const { passes, advance } = passesAt(1000);
  const report = passes.report(
    { company_id: 'company', plugin_id: 'plugin', at: 1000 },
    passes.mint('registry', content),
  );
  assert.equal(passes.open('registry', report), undefined);
  advance(60_000 - 1);
  assert.equal(passes.openReport(report)?.plugin_id, 'plugin');
  advance(1);
  assert.equal(passes.openReport(report), undefined);
});

test('what was not sealed by this platform, or was changed, opens nothing', () => {
  const { passes } = passesAt();
  const pass = passes.mint('call', content);
  const [, data = ''] = pass.split('.');
  const broken = [
    '',
    'x',
    data,
    `0.${data}`,
    `2.${data}`,
    '1.AAAA',
    `1.${Buffer.alloc(27).toString('base64url')}`,
    `1.${Buffer.alloc(28).toString('base64url')}`,
    `1.${data.slice(0, -4)}AAAA`,
  ];
  for (const text of broken) assert.equal(passes.open('call', text), undefined, text);
});
