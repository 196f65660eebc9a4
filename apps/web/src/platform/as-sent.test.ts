import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAsSent } from './fields.ts';

test('what was sent once is what the field holds, until the field is changed', () => {
  const sent = { kind: 'one_time', updated_at: '2026-01-02T00:00:00.000Z' } as const;
  const before = { updatedAt: Date.parse('2026-01-01T00:00:00.000Z') };
  const later = { updatedAt: Date.parse('2026-01-03T00:00:00.000Z') };
  assert.ok(isAsSent(before, sent));
  assert.ok(!isAsSent(later, sent));
  assert.ok(isAsSent(later, { ...sent, kind: 'live' }));
});
