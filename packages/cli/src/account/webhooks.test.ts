import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, type World } from '@symbolon/testkit/cli/world';
import { eventually } from '@symbolon/testkit/platform/eventually';

describe('symbolon webhooks', () => {
  let world: World;
  let user: SignedIn;
  before(async () => {
    world = await createWorld({ loopback: true });
    user = await signIn(world);
  });
  after(async () => {
    user[Symbol.dispose]();
    await world.clear();
  });

  test('webhooks are listed with their health, and why the last delivery failed', async () => {
    const none = await user.run('webhooks', user.serviceId);
    assert.deepEqual([none.code, none.stdout], [0, 'There is no webhook yet.\n']);
    // Nothing listens there.
    const url = 'http://127.0.0.1:1/';
    const hook = await user.portal.createWebhook(user.serviceId, { url, auth_type: 'none' });
    const before = await user.run('webhooks');
    assert.equal(before.stdout, `unknown  ${url}  ${hook.id}\n`);
    assert.equal((await user.run('trigger', 'field_updated')).code, 0);
    const failed = await eventually(
      'the delivery has failed',
      async () => {
        const { last_failure } = await user.portal.webhook(user.serviceId, hook.id);
        return last_failure ?? undefined;
      },
      50,
    );
    assert.deepEqual([failed.status, failed.kind], [null, 'connect']);
    const [line = '', why = '', next = ''] = (await user.run('webhooks', user.serviceId)).stdout.split('\n');
    assert.match(line, /^bad {6}http:\S+ {2}[1-9] waiting {2}/);
    assert.equal(why.trim(), `last failure ${failed.at}: ${failed.reason}`);
    assert.match(next, /^ +tried again at \d{4}-/);
    const [json] = [JSON.parse((await user.run('webhooks', '--json')).stdout)];
    assert.deepEqual([json.service_id, json.health, json.last_failure], [user.serviceId, 'bad', failed]);
  });
});
