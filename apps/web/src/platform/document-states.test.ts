import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listed } from './document-list.ts';
import { askedOf, decisionOn, endOf, found, isCancellable, stateOf } from './document-states.ts';

const document = (members: Partial<Listed> = {}): Listed => ({
  id: 'd-1',
  kind: 'agreement',
  name: 'Lease of a bike',
  description: null,
  status: 'active',
  payload_kind: 'file',
  is_private: false,
  metadata: {},
  requires_signature: false,
  requires_acceptance: false,
  plain_sha256: null,
  sealed_at: null,
  sealed_sha256: null,
  seal_level: null,
  signatures: [],
  changed_since_act: null,
  connection_id: 'c-1',
  broadcast: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  company: { user_id: 'u-1', display_name: 'Acme', share_code: 'ACME' },
  service: { id: 's-1', name: 'Bike Club', share_code: 'BIKES' },
  ...members,
});

test('a document is to be signed or accepted only while that is open, and only by its recipient', () => {
  assert.equal(askedOf(document({ status: 'ready_to_sign' })), 'sign');
  assert.equal(askedOf(document({ status: 'offering', requires_acceptance: true })), 'accept');
  assert.equal(askedOf(document({ status: 'offering' })), undefined);
  assert.equal(askedOf(document({ status: 'ready_to_sign', broadcast: true })), undefined);
  assert.equal(askedOf(document({ status: 'ended', requires_signature: true })), undefined);
});

test('the state says what was done, and nothing of what is only to be read', () => {
  assert.equal(stateOf(document({ kind: 'document' })), undefined);
  assert.equal(stateOf(document()), 'active');
  assert.equal(stateOf(document({ status: 'active_but_ending' })), 'active_but_ending');
  assert.equal(stateOf(document({ status: 'waiting' })), 'waiting');
  const act = { action: 'signed', method: 'twofa', content_sha256: null, plain_sha256: null } as const;
  const signer = { signer_first_name: 'A', signer_last_name: 'B', signer_name_verified: false };
  const signature = { ...act, ...signer, created_at: '2026-01-01T00:00:00.000Z' };
  assert.equal(stateOf(document({ signatures: [signature] })), 'signed');
  const own: Partial<Listed> = { status: 'ready_to_sign', signatures: [signature] };
  assert.equal(askedOf(document(own)), undefined, 'the person has signed');
  assert.equal(stateOf(document(own)), 'signed_open', 'others are to sign');
  const accepted = { ...signature, action: 'accepted' } as const;
  const offered = { status: 'offering', requires_acceptance: true } as const;
  assert.equal(stateOf(document({ ...offered, signatures: [accepted] })), 'accepted_open');
  assert.equal(stateOf(document({ ...offered, signatures: [signature] })), 'accept');
});

test('a contract is cancelled where the company allows it, at the date it names', () => {
  const allowed = { can_be_cancelled_in_app: true };
  assert.equal(isCancellable(document()), false);
  assert.equal(isCancellable(document({ metadata: { can_be_cancelled_in_app: 'yes' } })), false);
  assert.equal(isCancellable(document({ metadata: allowed })), true);
  assert.equal(isCancellable(document({ metadata: allowed, status: 'ended' })), false);
  const until = (metadata: Record<string, unknown>, status: Listed['status'] = 'active') =>
    endOf(document({ metadata, status }), '2026-06-01');
  assert.equal(until({ valid_until: '2026-12-31', renewal_date: '2026-09-01' }), '2026-12-31');
  assert.equal(until({ renewal_date: '2026-09-01' }), '2026-09-01');
  assert.equal(until({ valid_until: '2026-05-31' }), undefined);
  assert.equal(until({ valid_until: 'soon' }), undefined);
  assert.equal(until({ valid_until: '2026-12-31' }, 'offering'), undefined);
});

test('documents are found by words of their names', () => {
  const all = [document(), document({ id: 'd-2', name: 'Terms' })];
  const ids = (query: string) => found(all, query).map(({ id }) => id);
  assert.deepEqual(ids(''), ['d-1', 'd-2']);
  assert.deepEqual(ids('bike LEASE'), ['d-1']);
  assert.deepEqual(ids('acme'), ['d-1', 'd-2']);
});

test('what the page cannot show is neither signed nor accepted', () => {
  assert.equal(decisionOn('file', undefined), 'later');
  assert.equal(decisionOn('file', false), 'closed');
  assert.equal(decisionOn('file', true), 'open');
  assert.equal(decisionOn('json', undefined), 'open');
});
