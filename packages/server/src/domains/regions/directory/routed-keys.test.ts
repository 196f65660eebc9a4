import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { regionUnavailable } from './peers.ts';
import { RoutedKeys } from './routed-keys.ts';

onPlatform('the keys of all regions', (platform) => {
  const regions = { names: ['eu', 'us'], others: ['us'] } as never;
  const key = (kid: string) => ({ kty: 'RSA', kid });

  test('are asked for at most every five seconds, once for all who want them', async () => {
    let asked = 0;
    const ask = async <T>() => {
      asked++;
      return { keys: [key('us-1')] } as T;
    };
    const own = { published: async () => [key('eu-1')] };
    const keys = new RoutedKeys({ ...platform().context, regions, peers: { ask } }, own);
    const all = await Promise.all([keys.published(), keys.published()]);
    assert.deepEqual(all, [
      [key('eu-1'), key('us-1')],
      [key('eu-1'), key('us-1')],
    ]);
    await keys.published();
    assert.equal(asked, 1);
    platform().clock.advance(5_000);
    await keys.published();
    assert.equal(asked, 2);
  });

  test('of a region that is away are those it published last, also after a restart', async () => {
    const { context, clock } = platform();
    const away = { ask: () => Promise.reject(regionUnavailable()) };
    const there = { ask: async <T>() => ({ keys: [key('us-2')] }) as T };
    const before = new RoutedKeys({ ...context, regions, peers: there });
    assert.deepEqual(await before.published(), [key('us-2'), key('us-2')]);
    clock.advance(5_000);
    const restarted = new RoutedKeys({ ...context, regions, peers: away });
    assert.deepEqual(await restarted.published(), [key('us-2'), key('us-2')]);
  });
});
