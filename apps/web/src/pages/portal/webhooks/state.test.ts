import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhookFailureKinds } from '@symbolon/protocol';
import { enWebhooks } from '../../../text/portal/en-webhooks.ts';
import { detailOf, stateOf } from './state.ts';

test('a webhook that is off is off, and then one that is paused is paused, whatever its health was', () => {
  assert.equal(stateOf({ enabled: false, paused: true, health: 'bad' }), 'off');
  assert.equal(stateOf({ enabled: true, paused: true, health: 'bad' }), 'paused');
  assert.equal(stateOf({ enabled: true, paused: false, health: 'bad' }), 'bad');
});

test('the detail of a reason is shown; a status needs none', () => {
  assert.equal(
    detailOf({ kind: 'connect', reason: 'connect: connect ECONNREFUSED' }),
    'connect ECONNREFUSED',
  );
  assert.equal(detailOf({ kind: 'status', reason: 'answered 500, not 200' }), undefined);
});

test('every kind of failure has words', () => {
  for (const kind of webhookFailureKinds) assert.ok(`webhooks.failure.${kind}` in enWebhooks, kind);
});
