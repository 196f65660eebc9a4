import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateRecoveryCode } from '@symbolon/crypto';
import { isRecoveryDue, wrongGroup } from './recovery.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MADE = Date.parse('2026-03-01T12:00:00.000Z');
const day = (number: number) => new Date(MADE + number * DAY_MS).toISOString();

test('a recovery code is asked for a week after it was made, and once a year', () => {
  const due = (confirmed: number | null, now: number) =>
    isRecoveryDue(
      { made_at: day(0), confirmed_at: confirmed === null ? null : day(confirmed) },
      MADE + now * DAY_MS,
    );
  assert.deepEqual([due(0, 6.9), due(0, 7), due(null, 6.9), due(null, 7)], [false, true, false, true]);
  assert.deepEqual([due(7, 8), due(7, 371), due(7, 372)], [false, false, true]);
});

test('a code is the same in any spelling, and the first group that is not is named', () => {
  const code = generateRecoveryCode();
  const groups = code.split('-');
  for (const typed of [code, code.toLowerCase(), groups.join(' '), ` ${groups.join('\n')} `, groups.join('')])
    assert.equal(wrongGroup(code, typed), undefined);
  assert.equal(wrongGroup('01AB-2345', 'oLab 2345'), undefined);
  assert.equal(wrongGroup(code, groups.slice(0, -1).join('')), 13);
  assert.equal(wrongGroup(code, `${code}A`), 14);
  assert.equal(wrongGroup('AAAA-BBBB-CCCC', 'aaaa bbbx cccc'), 2);
  assert.equal(wrongGroup(code, ''), 1);
});
