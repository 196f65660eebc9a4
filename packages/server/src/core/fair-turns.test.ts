import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairTurns } from './fair-turns.ts';

/** Work that goes on until it is ended, by its name. */
function works(turns: FairTurns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (party: string, name: string) =>
    turns.run(party, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { begun, run, end };
}

test('parties have turns: who has much to do delays only itself', async () => {
  const { begun, run, end } = works(new FairTurns({ perParty: 1, inAll: 2, waitingMost: 8 }));
  for (const name of ['a1', 'a2', 'a3']) void run('a', name);
  void run('b', 'b1');
  void run('c', 'c1');
  assert.deepEqual(begun, ['a1', 'b1']);
  await end('a1');
  assert.deepEqual(begun, ['a1', 'b1', 'c1'], 'c waited before a could run again');
  await end('b1');
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2']);
});

test('what waits is bounded for a party and for all, and the refusal has the key of the work', async () => {
  const limits = { perParty: 1, inAll: 1, waitingMost: 2, waitingInAll: 3, busy: 'photos.busy' } as const;
  const { begun, run, end } = works(new FairTurns(limits));
  for (const name of ['a1', 'a2', 'a3']) void run('a', name);
  await assert.rejects(run('a', 'a4'), { key: 'photos.busy', headers: { 'retry-after': '5' } });
  void run('b', 'b1');
  await assert.rejects(run('c', 'c1'), { key: 'photos.busy' });
  await end('a1');
  void run('c', 'c2');
  await end(begun.at(-1) ?? '');
  await end(begun.at(-1) ?? '');
  assert.deepEqual(begun.toSorted(), ['a1', 'a2', 'b1', 'c2'].toSorted());
  const plain = works(new FairTurns({ perParty: 1, inAll: 1, waitingMost: 0 }));
  void plain.run('a', 'a1');
  await assert.rejects(plain.run('a', 'a2'), { key: 'rate_limit.exceeded' });
});
