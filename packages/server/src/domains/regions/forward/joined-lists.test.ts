import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOf } from '../../../http/federated.ts';
import { Forwarding } from './forwarding.ts';

interface Item {
  readonly id: string;
  readonly company: { readonly user_id: string };
}

const ITEM: Item = { id: 'a', company: { user_id: 'company' } };

test('a list misses nothing of a company that moves while its own part is read slowly', async () => {
  // At home here at first: this region alone lists it. Then the other one does.
  let isHome = true;
  const order: string[] = [];
  const answer = () => ({
    status: 200,
    headers: {},
    bytes: Buffer.from(JSON.stringify({ items: isHome ? [] : [ITEM] })),
  });
  const forwarding = new Forwarding({
    database: { reader: undefined },
    regions: { own: 'eu', others: ['us'] },
    peers: {
      async call() {
        order.push('other');
        return answer();
      },
    },
    companyReplicas: { homesOf: async () => new Map([['company', isHome ? 'eu' : 'us']]) },
  } as unknown as ConstructorParameters<typeof Forwarding>[0]);
  const own = async () => {
    order.push('own begins');
    const items = isHome ? [ITEM] : [];
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    order.push('own ends');
    // The company leaves as soon as it was read.
    isHome = false;
    return { items };
  };
  const list = listOf<Item>('items', ({ id }) => id);
  const joined = await forwarding.joined(list, own, {
    method: 'GET',
    path: '/api/items',
    headers: {},
    principal: { kind: 'person', personId: 'person' },
  } as unknown as Parameters<Forwarding['joined']>[2]);
  assert.deepEqual(joined.items, [ITEM]);
  assert.deepEqual(order, ['own begins', 'own ends', 'other', 'own begins', 'own ends']);
});

test('a list misses nothing of a company that comes while the other region answers', async () => {
  let isHome = false;
  const forwarding = new Forwarding({
    database: { reader: undefined },
    regions: { own: 'eu', others: ['us'] },
    peers: {
      async call() {
        // It has left there already and arrives here before the answer does.
        isHome = true;
        return { status: 200, headers: {}, bytes: Buffer.from('{"items":[]}') };
      },
    },
    companyReplicas: { homesOf: async () => new Map() },
  } as unknown as ConstructorParameters<typeof Forwarding>[0]);
  const list = listOf<Item>('items', ({ id }) => id);
  const joined = await forwarding.joined(list, async () => ({ items: isHome ? [ITEM] : [] }), {
    method: 'GET',
    path: '/api/items',
    headers: {},
    principal: { kind: 'person', personId: 'person' },
  } as unknown as Parameters<Forwarding['joined']>[2]);
  assert.deepEqual(joined.items, [ITEM]);
});

test('a list misses nothing of a company that moves between two other regions', async () => {
  // In `us` at first. `ap` answers before it is there, `us` when it is gone.
  let home = 'us';
  const asked: string[] = [];
  const forwarding = new Forwarding({
    database: { reader: undefined },
    regions: { own: 'eu', others: ['us', 'ap'] },
    peers: {
      async call({ region }: { region: string }) {
        asked.push(region);
        if (region === 'us' && home === 'us') {
          await new Promise(setImmediate);
          home = 'ap';
        }
        const items = home === region ? [ITEM] : [];
        const headers = region === 'us' ? { 'x-symbolon-leaving': '1' } : {};
        return { status: 200, headers, bytes: Buffer.from(JSON.stringify({ items })) };
      },
    },
    companyReplicas: { homesOf: async () => new Map() },
  } as unknown as ConstructorParameters<typeof Forwarding>[0]);
  const list = listOf<Item>('items', ({ id }) => id);
  const call = {
    method: 'GET',
    path: '/api/items',
    headers: {},
    principal: { kind: 'person', personId: 'person' },
  } as unknown as Parameters<Forwarding['joined']>[2];
  assert.deepEqual((await forwarding.joined(list, async () => ({ items: [] }), call)).items, [ITEM]);
  assert.deepEqual(asked, ['us', 'ap', 'us', 'ap']);
});
