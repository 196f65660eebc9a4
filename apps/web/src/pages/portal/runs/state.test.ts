import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowDefinition } from '@symbolon/flows';
import type { FlowRunDocument } from '@symbolon/protocol';
import { columnOf, stateOf } from '../../../platform/portal/run-column.ts';
import {
  askedOf,
  awaitedOf,
  copyState,
  customersIn,
  isOpen,
  isSealed,
  isUntouched,
  ownCopyOf,
  stepOf,
  turnOf,
} from './state.ts';

const definition: FlowDefinition = {
  name: 'Flow',
  output_mode: 'data_only',
  entry: 'c',
  parties: [{ key: 'company', label: 'Acme', type: 'owner' }],
  nodes: [{ key: 'c', party: 'company', title: 'Last', elements: [] }],
  edges: [],
};

test('a run shows its state and the party it waits for', () => {
  const at = { definition, current_node: 'c', status: 'awaiting_company' };
  assert.deepEqual([stateOf(at), awaitedOf(at), isOpen(at)], ['waiting', 'Acme', true]);
  for (const [status, state, open] of [
    ['awaiting_signature', 'signing', true],
    ['generating', 'generating', true],
    ['completed', 'completed', false],
    ['cancelled', 'cancelled', false],
  ] as const) {
    const run = { definition, current_node: null, status };
    assert.deepEqual([stateOf(run), awaitedOf(run), isOpen(run)], [state, undefined, open]);
  }
});

test('the company answers its own steps, and makes the documents after its own last answer', () => {
  const bindings = { company: 'acme', client: 'ada' };
  const run = (status: string) => ({
    ...{ definition, bindings, status },
    current_node: 'c',
    company_user_id: 'acme',
  });
  const by = (party: string) => [{ party: 'client' }, { party }];
  assert.equal(turnOf(run('awaiting_company'), by('client')), 'answer');
  const theirs = { ...run('awaiting_company'), bindings: { company: 'ada' } };
  assert.equal(turnOf(theirs, by('client')), undefined);
  assert.equal(turnOf(run('generating'), by('company')), 'make');
  assert.equal(turnOf(run('generating'), by('client')), undefined);
  assert.equal(turnOf(run('completed'), by('company')), undefined);
});

test('a run stands in the column of whom it waits for, by who is bound and not by the key of the party', () => {
  const run = (status: string, more: object = {}) => ({
    definition,
    current_node: 'c',
    status,
    bindings: { company: 'acme' },
    company_user_id: 'acme',
    ...more,
  });
  assert.equal(columnOf(run('awaiting_company')), 'company');
  assert.equal(columnOf(run('awaiting_company', { bindings: { company: 'ada' } })), 'customer');
  for (const [status, column] of [
    ['generating', 'generating'],
    ['awaiting_signature', 'signature'],
    ['completed', 'done'],
    ['cancelled', 'ended'],
  ] as const) {
    assert.equal(columnOf(run(status)), column);
    assert.equal(stepOf(run(status)), undefined);
  }
  assert.equal(stepOf(run('awaiting_company')), 'Last');
  assert.equal(stepOf(run('awaiting_company', { current_node: 'gone' })), undefined);
});

const copy = (more: Partial<FlowRunDocument>): FlowRunDocument => ({
  output_key: 'lease',
  name: 'Lease',
  document_id: 'x',
  document_status: 'waiting',
  requires_signature: true,
  requires_acceptance: false,
  position: 1,
  action: null,
  acted_at: null,
  ...more,
});

test('a copy tells what is asked with it, and what was done', () => {
  for (const [more, asked, state] of [
    [{}, undefined, 'waiting'],
    [{ document_status: 'ready_to_sign' }, 'sign', 'sign'],
    [{ document_status: 'ready_to_sign', requires_acceptance: true }, 'sign', 'sign'],
    [{ document_status: 'offering', requires_acceptance: true, action: 'signed' }, 'accept', 'accept'],
    [
      { document_status: 'offering', requires_signature: false, requires_acceptance: true },
      'accept',
      'accept',
    ],
    [{ document_status: 'ready_to_sign', action: 'signed' }, undefined, 'signed'],
    [{ document_status: 'offering', requires_acceptance: true, action: 'accepted' }, undefined, 'accepted'],
    [{ document_status: 'active', action: 'signed' }, undefined, 'signed'],
    [{ document_status: 'active', requires_signature: false }, undefined, 'read'],
    [{ document_status: 'ended' }, undefined, 'ended'],
    [{ document_status: 'ended', action: 'cancelled' }, undefined, 'cancelled'],
  ] as const) {
    const document = copy(more);
    assert.deepEqual([askedOf(document), copyState(document)], [asked, state], JSON.stringify(more));
  }
});

test("the company's own copy is found, and is the sealed file when all have acted", () => {
  const ours = copy({ document_status: 'active', action: 'signed' });
  const participants = [
    { party_key: 'client', person_user_id: 'p', connection_id: null, documents: [copy({})] },
    { party_key: 'company', person_user_id: 'c', connection_id: null, documents: [ours] },
  ];
  const run = { participants, company_user_id: 'c' };
  assert.equal(ownCopyOf(run, 'lease'), ours);
  assert.equal(ownCopyOf(run, 'other'), undefined);
  assert.equal(isSealed(ours, [{ party: 'company', document: ours }]), true);
  assert.equal(isSealed(copy({}), [{ party: 'company', document: ours }]), false);
  const read = copy({ document_status: 'active', requires_signature: false });
  assert.equal(isSealed(read, [{ party: 'company', document: read }]), false);
});

test('documents can be made again while they wait and before any act', () => {
  const run = (status: string, ...documents: FlowRunDocument[]) => ({
    status,
    participants: [{ party_key: 'client', person_user_id: 'p', connection_id: null, documents }],
  });
  assert.equal(isUntouched(run('awaiting_signature', copy({}))), true);
  assert.equal(isUntouched(run('awaiting_signature', copy({}), copy({ action: 'accepted' }))), false);
  assert.equal(isUntouched(run('generating')), false);
  assert.equal(isUntouched(run('cancelled', copy({ document_status: 'ended' }))), false);
});

test('the customers of a run are named in the order of its parties, but for those who left', () => {
  const part = (party_key: string, connection_id: string | null) => ({
    ...{ party_key, connection_id, person_user_id: party_key, documents: [] },
  });
  const run = {
    company_user_id: 'company',
    participants: [part('guest', 'gone'), part('company', null), part('client', 'here')],
    definition: {
      ...definition,
      parties: [
        { key: 'client', label: 'Client' },
        { key: 'company', label: 'Acme', type: 'owner' as const },
        { key: 'guest', label: '' },
      ],
    },
  };
  const ada = {
    ...{ connection_id: 'here', user_id: 'client', display_name: 'Ada', share_code: 'ABC' },
    customer_type: 'person' as const,
    connected_at: '2026-01-01T00:00:00.000Z',
  };
  assert.deepEqual(customersIn(run, new Map([['here', ada]])), [
    { key: 'client', party: 'Client', customer: ada },
    { key: 'guest', party: 'guest', customer: undefined },
  ]);
});
