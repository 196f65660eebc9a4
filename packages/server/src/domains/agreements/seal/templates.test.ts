import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PdfRunner } from '@symbolon/pdf';
import { Templates } from './templates.ts';

test('templates of one company that take for ever delay others by at most one of them', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const runner = {
    analyseTemplate: (bytes: Uint8Array) => {
      begun.push(Buffer.from(bytes).toString());
      return new Promise((resolve) => ends.push(() => resolve({})));
    },
  } as unknown as PdfRunner;
  const templates = new Templates({ runner, processes: 1 });
  const bad = Array.from({ length: 40 }, () => templates.analyse('a', Buffer.from('bad')));
  const refused = Promise.allSettled(bad.slice(9));
  const good = templates.analyse('b', Buffer.from('good'));
  // One is in work and eight wait; the next is refused.
  for (const result of await refused)
    assert.equal(result.status === 'rejected' && result.reason.key, 'rate_limit.exceeded');
  assert.deepEqual(begun, ['bad']);
  ends.shift()?.();
  while (begun.length < 2) await new Promise(setImmediate);
  assert.deepEqual(begun, ['bad', 'good']);
  ends.shift()?.();
  await good;
  for (let done = 0; done < 8; done++) {
    while (ends.length === 0) await new Promise(setImmediate);
    ends.shift()?.();
  }
  await Promise.all(bad.slice(0, 9));
});
