import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { FakeClock } from '@symbolon/testkit/platform/platform';
import { regionUnavailable } from './peers.ts';
import { RoutedSeals } from './routed-seals.ts';

const regions = { names: ['eu', 'us'], others: ['us'] } as never;
const root = (sha256: string) => ({ sha256, pem: `PEM ${sha256}` });
const list = (...roots: string[]) => ({ certificates: [], roots: roots.map(root) });

test('the roots of all regions are each given once', async () => {
  const ask = async <T>() => list('shared', 'us') as T;
  const deps = { clock: new FakeClock(), log: keptLog().log, regions, peers: { ask } };
  const seals = new RoutedSeals(deps, { published: async () => list('shared', 'eu') });
  assert.deepEqual((await seals.published()).roots, [root('shared'), root('eu'), root('us')]);
  // A front door without a region asks all of them.
  assert.deepEqual((await new RoutedSeals(deps).published()).roots, [root('shared'), root('us')]);
});

test('a region that is away keeps the roots that it published, and is asked once a minute', async () => {
  const clock = new FakeClock();
  let asked = 0;
  let isAway = false;
  const ask = async <T>() => {
    asked++;
    if (isAway) throw regionUnavailable();
    return list('us') as T;
  };
  const own = { published: async () => list('eu') };
  const seals = new RoutedSeals({ clock, log: keptLog().log, regions, peers: { ask } }, own);
  await seals.published();
  isAway = true;
  clock.advance(60_000);
  for (let round = 0; round < 3; round++) {
    assert.deepEqual((await seals.published()).roots, [root('eu'), root('us')]);
  }
  assert.equal(asked, 2);
});
