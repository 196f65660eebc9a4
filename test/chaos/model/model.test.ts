import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Random } from '@symbolon/testkit/platform/random';
import type { Answer, Call } from '../support/caller.ts';
import { type Shop, shopOf } from './company.ts';
import { type Event, FeedConsumer, Replica, WebhookReceiver } from './consumers.ts';
import { History, type Outcome } from './history.ts';
import { type Judged, judge, type ListedConnection, tornAnswers } from './judge.ts';
import { NONE, Person, Relation } from './person.ts';
import { wrapperOf } from './values.ts';

/*
 * A model that finds nothing wrong may be blind. Here it is shown each kind of fault.
 */

function historyOf(...acts: readonly [string, Outcome][]): History {
  const history = new History();
  for (const [state, outcome] of acts) history.send(state).outcome = outcome;
  return history;
}

test('what was acknowledged last, or is in doubt since, is right', () => {
  assert.equal(historyOf(['1', 'done'], ['2', 'done']).judge('2'), 'right');
  assert.equal(historyOf(['1', 'done'], ['2', 'doubt']).judge('2'), 'right');
  assert.equal(historyOf(['1', 'done'], ['2', 'doubt']).judge('1'), 'right');
});

test('an earlier state is a lost act', () => {
  assert.equal(historyOf(['1', 'done'], ['2', 'done']).judge('1'), 'lost');
});

test('a refused act that happened is found, and so is one that came late', () => {
  assert.equal(historyOf(['1', 'done'], ['2', 'refused']).judge('2'), 'refused, but done');
  assert.equal(historyOf(['1', 'done'], ['2', 'doubt'], ['3', 'done']).judge('2'), 'late');
  assert.equal(historyOf(['1', 'done']).judge('7'), 'never sent');
});

const listed = (a1: number, a2: number | undefined): ListedConnection => ({
  connection_id: 'one',
  user_id: 'person',
  pending_consent: [],
  values: {
    a1: { value: wrapperOf(0, 'f0', a1), live: true },
    ...(a2 !== undefined && { a2: { value: wrapperOf(0, 'f0', a2), live: true } }),
    c: { value: wrapperOf(0, 'once', 0), live: false },
  },
});

test('half an edit and half a connection are found', () => {
  assert.deepEqual(tornAnswers([listed(3, 3)]), []);
  assert.equal(tornAnswers([listed(3, 4)]).length, 1);
  assert.equal(tornAnswers([listed(3, undefined)]).length, 1);
});

let ids = 0;
const event = (name: string, more: Partial<Event> = {}): Event => ({
  id: String(ids++),
  event: name,
  person_user_id: 'person',
  at: '2026-01-31T09:30:00.000Z',
  ...more,
});
const updated = (edit: number) => event('field_updated', { slug: 'a1', value: wrapperOf(0, 'f0', edit) });

test('a value before its connection, and an older value after a newer one, are out of order', () => {
  const replica = new Replica();
  replica.apply(updated(1), () => false);
  assert.equal(replica.faults.length, 1);
  replica.apply(event('connection_created'), () => false);
  replica.apply(updated(2), () => false);
  assert.equal(replica.slot('person', 'a1'), '2');
  replica.apply(updated(1), () => true);
  assert.equal(replica.faults.length, 1, 'an act in doubt excuses it');
  replica.apply(updated(3), () => false);
  replica.apply(updated(2), () => false);
  assert.equal(replica.faults.length, 2);
});

function consumerOf(batches: Event[][], byWord: boolean, broken: boolean): FeedConsumer {
  return new FeedConsumer({
    shop: {} as Shop,
    byWord,
    excused: () => broken,
    mayBeLate: () => false,
    call: async () => ({
      outcome: 'done',
      status: 200,
      key: undefined,
      body: { changes: batches.shift() ?? [] },
    }),
  });
}

test('an event that comes again after its word was taken is doubled', async () => {
  const created = event('connection_created');
  const repeated = consumerOf([[created], [created]], true, false);
  for (let drains = 0; drains < 2; drains++) await repeated.drain();
  assert.deepEqual(repeated.faults, [], 'the answer to the word may have it again');
  const doubled = consumerOf([[created], [], [created]], true, true);
  for (let drains = 0; drains < 3; drains++) await doubled.drain();
  assert.equal(doubled.faults.length, 1);
});

test('by silence an event may come again when something broke, and not otherwise', async () => {
  for (const [broken, faults] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const created = event('connection_created');
    const consumer = consumerOf([[created], [created]], false, broken);
    for (let drains = 0; drains < 2; drains++) await consumer.drain();
    assert.equal(consumer.faults.length, faults);
  }
});

test('a webhook that is sent what it accepted, or an earlier event, is at fault', async () => {
  const receiver = await WebhookReceiver.start();
  try {
    const post = (one: Event) => fetch(receiver.url, { method: 'POST', body: JSON.stringify(one) });
    const second = event('connection_created', { at: '2026-01-31T09:30:00.002Z' });
    await post(second);
    assert.deepEqual(receiver.judge(() => false).faults, []);
    await post(second);
    assert.equal(receiver.judge(() => false).faults.length, 1);
    assert.deepEqual(receiver.judge(() => true).faults, [], 'an answer may have been lost');
    await post(event('connection_deleted', { at: '2026-01-31T09:30:00.001Z' }));
    assert.match(receiver.judge(() => true).faults.join(), /after a later event/);
    receiver.mood = 'error';
    await post(event('connection_created', { at: '2026-01-31T09:30:00.003Z' }));
    receiver.mood = 'ok';
    await post(event('connection_created', { at: '2026-01-31T09:30:00.003Z' }));
    assert.equal(receiver.judge(() => false).faults.length, 2, 'what was not accepted comes again');
  } finally {
    receiver.stop();
  }
});

const TOGGLE = 0.7;
const EDIT_F1 = 0.5;

const DISCONNECT = 0.92;
const CONNECT = 0.1;
const EDIT_F0 = 0.9;

const aShop = () =>
  shopOf(
    'shop',
    { id: 'service', code: 'S', company: { code: 'C' }, rows: {} },
    { clientId: '', clientSecret: '' },
  );

/** A person connected to one service, who does what the dice say. The home lists the same answer for ever. */
async function livedBy(
  dice: number[],
  listed: { slug: string; connection_id: string },
  outcomeOf: (call: Call) => Outcome = () => 'done',
): Promise<{ person: Person; shop: Shop }> {
  const shop = aShop();
  const body = {
    person: { person_user_id: 'person' },
    id: 'field',
    connection_id: 'connection',
    // A connection that comes late is not shown to the person.
    connections: listed.connection_id === 'late' ? [] : [{ ...listed, service: { id: shop.serviceId } }],
    slots: [{ ...listed, request_field_id: 'row', service_id: shop.serviceId }],
  };
  const call = async (made: Call) =>
    ({ outcome: outcomeOf(made), status: 200, key: undefined, body }) as Answer;
  const random = { next: () => dice.shift(), pick: (of: unknown[]) => of[0], whole: () => 0 };
  const world = { shops: [shop], call, acknowledged: () => {}, goesOn: () => true };
  const person = new Person(0, world, random as unknown as Random);
  await person.register('key');
  await person.live(() => dice.length > 0);
  return { person, shop };
}

const raisedOf = ({ person, shop }: { person: Person; shop: Shop }, slug: string) =>
  person
    .relation(shop)
    .raised.get(slug)
    ?.map(({ act, certain }) => `${act.state} ${certain}`);

test('a copy for an answer that was taken away, which the home of the person still lists, is no act', async () => {
  const dice = [TOGGLE, EDIT_F1, TOGGLE, EDIT_F1];
  const lived = await livedBy(dice, { slug: 'd', connection_id: 'connection' });
  assert.equal(lived.person.relation(lived.shop).slot('d').known, NONE);
  assert.deepEqual(raisedOf(lived, 'd'), ['0 true', '1 true', `${NONE} true`]);
});

test('an edit may be delivered for a connection that came after its call was given up', async () => {
  let connects = 0;
  const lived = await livedBy(
    [DISCONNECT, CONNECT, EDIT_F0],
    { slug: 'a1', connection_id: 'late' },
    ({ method, path }) =>
      method === 'POST' && path === '/api/person/connections' && ++connects === 2 ? 'doubt' : 'done',
  );
  assert.deepEqual(raisedOf(lived, 'a1'), ['1 false']);
});

test('an edit of an answer that may not be there is in doubt for good', async () => {
  const lived = await livedBy([TOGGLE, EDIT_F1], { slug: 'd', connection_id: 'connection' }, ({ path }) =>
    path.endsWith('/mappings') ? 'doubt' : 'done',
  );
  assert.deepEqual(raisedOf(lived, 'd'), ['0 true', '1 false']);
  const slot = lived.person.relation(lived.shop).slot('d');
  for (const state of [NONE, '0', '1']) assert.equal(slot.judge(state), 'right');
});

test('an edit that does not reach its webhook is lost, unless the company moved and its answer ended meanwhile', () => {
  const shop = aShop();
  const relation = new Relation();
  const edit = relation.slot('a1').send('1');
  relation.raises('a1', edit, true);
  edit.outcome = 'done';
  const person = { index: 0, id: 'person', relations: new Map([[shop, relation]]) };
  const lostOf = (moved: boolean) =>
    judge({
      persons: [person],
      shops: [shop],
      ...{ lists: new Map(), views: new Map(), configs: new Map(), feeds: new Map() },
      receivers: new Map([[shop, { judge: () => ({ faults: [], repeated: 0, events: [] }) }]]),
      excused: () => false,
      moved: () => moved,
      timesOrder: true,
    } as unknown as Judged).filter(({ text }) => text.includes('0 of 1 events'));
  assert.equal(lostOf(true).length, 1, 'nothing has ended');
  relation.on.send('off').outcome = 'done';
  assert.equal(lostOf(false).length, 1, 'nothing has moved');
  assert.equal(lostOf(true).length, 0);
});
