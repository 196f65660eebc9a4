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
    assert.deepEqual([none.code, none.stdout], [0, 'There is none yet.\n']);
    // Nothing listens there.
    const url = 'http://127.0.0.1:1/';
    const hook = await user.portal.createWebhook(user.serviceId, { url, auth_type: 'none' });
    const before = await user.run('webhooks');
    assert.match(before.stdout, new RegExp(`\nunknown +true +false +0 +${url} +${hook.id}\n$`));
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
    const [, line = '', why = '', next = ''] = (await user.run('webhooks', user.serviceId)).stdout.split(
      '\n',
    );
    assert.match(line, /^bad +true +false +[1-9]/);
    assert.equal(why, `${hook.id}: last failure ${failed.at}: ${failed.reason}`);
    assert.match(next, /: tried again at \d{4}-/);
    const [json] = [JSON.parse((await user.run('webhooks', '--json')).stdout)];
    assert.deepEqual([json.service_id, json.health, json.last_failure], [user.serviceId, 'bad', failed]);

    const attempts = await user.run('webhooks', 'attempts', hook.id);
    assert.match(
      attempts.stdout,
      /^at +event +status +duration_ms +reason +answer\n.* +- +\d+ +connect: .* +-\n$/,
    );
    const attempt = JSON.parse((await user.run('webhooks', 'attempts', hook.id, '--json')).stdout);
    assert.deepEqual([attempt.kind, attempt.reason, attempt.test], ['connect', failed.reason, false]);
    const tests = await user.run('webhooks', 'attempts', hook.id, '--only', 'tests');
    assert.equal(tests.stdout, 'There is none yet.\n');
    const preview = JSON.parse((await user.run('webhooks', 'preview', hook.id, '--json')).stdout);
    assert.deepEqual([preview.example, JSON.parse(preview.json).event], [false, attempt.event]);
    const probed = JSON.parse((await user.run('webhooks', 'probe', hook.id, '--json')).stdout);
    assert.equal(probed.id, hook.id);
    await eventually(
      'it was tried once more',
      async () => {
        const { total } = await user.portal.webhookAttempts(user.serviceId, hook.id);
        return total === 2 || undefined;
      },
      50,
    );
  });

  test('a secret is renewed while the previous one holds, and that one is ended', async () => {
    const hook = await user.portal.createWebhook(user.serviceId, { url: 'http://127.0.0.1:1/' });
    const renewed = await user.run('webhooks', 'renew-secret', hook.id, '--overlap-hours', '48', '--json');
    const {
      hmac_secret_once: secret,
      previous_secret_until: until,
      updated_at: at,
    } = JSON.parse(renewed.stdout);
    assert.match(secret, /^[\w-]{32,}$/);
    assert.equal(Date.parse(until) - Date.parse(at), 48 * 60 * 60 * 1000);
    const again = await user.run('webhooks', 'renew-secret', hook.id);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /services\.webhook_secret_overlaps/);
    const unasked = await user.run('webhooks', 'end-previous', hook.id);
    assert.equal(unasked.code, 2);
    assert.match(unasked.stderr, /Give --yes/);
    assert.equal((await user.run('webhooks', 'end-previous', hook.id, '--yes')).code, 0);
    const { previous_secret_until: ended } = await user.portal.webhook(user.serviceId, hook.id);
    assert.equal(ended, undefined);
  });
});
