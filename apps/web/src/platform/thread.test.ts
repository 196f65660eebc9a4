import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from './messages.ts';
import { newestUnread, withNewest, withOlder, withSent } from './thread.ts';

const message = (id: string, more: Partial<Message> = {}): Message => ({
  id,
  direction: 'outbound',
  text: id,
  broadcast: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  readAt: null,
  ...more,
});
const inbound = (id: string, readAt: string | null = null) => message(id, { direction: 'inbound', readAt });
const idsOf = ({ messages }: { messages: readonly Message[] }) => messages.map(({ id }) => id).join('');

test('the newest page brings what is new and keeps older pages that are shown', () => {
  const first = withNewest(undefined, [message('d'), message('c')], 2);
  assert.deepEqual([idsOf(first), first.hasOlder], ['dc', true]);
  const all = withOlder(first, [message('b'), message('a')]);
  assert.equal(idsOf(all), 'dcba');
  const next = withNewest(all, [inbound('e'), message('d')], 2);
  assert.deepEqual([idsOf(next), next.hasOlder], ['edcba', true]);
  assert.deepEqual(withOlder(next, []).hasOlder, false);
});

test('when more came than a page holds, no gap is shown as if it were none', () => {
  const shown = withNewest(undefined, [message('b'), message('a')], 2);
  const next = withNewest(shown, [message('e'), message('d')], 2);
  assert.deepEqual([idsOf(next), next.hasOlder], ['ed', true]);
});

test('a page that ended early for its size is not the end', () => {
  const long = { text: 'x'.repeat(100_000) };
  const shown = withNewest(undefined, [message('b', long), message('a', long)], 50);
  assert.equal(shown.hasOlder, true);
});

test('what was sent here stands there once, also when the page has brought it', () => {
  const shown = withNewest(undefined, [message('a')], 50);
  assert.equal(idsOf(withSent(shown, message('b'))), 'ba');
  assert.equal(idsOf(withSent(shown, message('a'))), 'a');
  assert.equal(idsOf(withSent(undefined, message('a'))), 'a');
});

test('one that was read says so of those before it, also on older pages', () => {
  const older = withNewest(undefined, [message('c'), message('b'), inbound('x'), message('a')], 50);
  const read = withNewest(older, [message('d'), message('c', { readAt: 'now' }), message('b')], 3);
  assert.deepEqual(
    read.messages.map(({ id, readAt }) => `${id} ${readAt}`),
    ['d null', 'c now', 'b now', 'x null', 'a now'],
  );
});

test('the newest message of the service is acknowledged, once', () => {
  const shown = withNewest(undefined, [message('d'), inbound('c'), inbound('b')], 50);
  assert.equal(newestUnread(shown)?.id, 'c');
  assert.equal(
    newestUnread(withNewest(undefined, [inbound('c', 'now'), inbound('b', 'now')], 50)),
    undefined,
  );
});
