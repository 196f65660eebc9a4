import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventNames } from '@symbolon/protocol/constants';
import { DataClient } from '@symbolon/sdk';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, type World } from '@symbolon/testkit/cli/world';

describe('symbolon trigger', () => {
  let world: World;
  let user: SignedIn;
  let client: DataClient;
  before(async () => {
    world = await createWorld({ loopback: true });
    user = await signIn(world);
    client = DataClient.fromFile(world.credentials.config_file);
    await drained();
  });
  after(async () => {
    await client.close();
    user[Symbol.dispose]();
    await world.clear();
  });

  const drained = async () => {
    const all = [];
    for (;;) {
      const batch = await client.changes({ limit: 500 });
      if (batch.length === 0) return all;
      all.push(...batch);
    }
  };
  /** What the sandbox person said to have done, and what the company heard of it: one after the other in the feed. */
  const trigger = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await user.run('trigger', '--json', ...args);
    assert.equal(code, 0, stderr);
    const done = stdout.trim().split('\n');
    const heard = await drained();
    return {
      done: done.map((line) => JSON.parse(line)),
      heard: heard.map(({ event, slug }) => (slug === undefined ? event : `${event} ${slug}`)),
      events: heard,
      stderr,
    };
  };
  const sandboxFile = () => {
    const folder = join(user.folder, 'symbolon', 'sandbox');
    const [name = ''] = readdirSync(folder);
    return join(folder, name);
  };

  test('registers a person once, keeps it safe, and has it edit a value that arrives', async () => {
    const first = await trigger('field_updated');
    assert.match(first.stderr, /^The sandbox person \w{6} is registered\.\n$/);
    assert.deepEqual(first.done[0].also, ['connection_created']);
    assert.deepEqual(first.heard, ['connection_created', 'field_updated full_name']);
    const [, event] = first.events;
    assert.ok(event);
    const change = await client.openChange(event);
    assert.equal(change.value?.value, first.done[0].value);
    assert.equal(change.shareCode, first.done[0].share_code);

    const file = sandboxFile();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const kept = readFileSync(file, 'utf8');
    const second = await trigger('field_updated', '--slug', 'home', '--count', '2');
    assert.equal(second.stderr, '');
    assert.equal(readFileSync(file, 'utf8'), kept);
    for (const { share_code, slug } of second.done) {
      assert.deepEqual([share_code, slug], [first.done[0].share_code, 'home']);
    }
    assert.ok(second.heard.includes('field_updated home'));
    assert.notEqual(second.done[0].value, second.done[1].value);
  });

  test('takes an answer back, and gives it again', async () => {
    const deleted = await trigger('field_deleted', '--slug', 'phone');
    assert.deepEqual([deleted.done[0].slug, deleted.heard], ['phone', ['field_deleted phone']]);
    const again = await trigger('consent_accepted', '--slug', 'phone');
    assert.deepEqual(again.heard, ['consent_accepted phone']);
    // Rows without an answer are accepted as long as there are any: nothing is published for it.
    const before = await user.portal.requestFields(user.serviceId);
    await trigger('consent_accepted');
    assert.deepEqual(await user.portal.requestFields(user.serviceId), before);
  });

  test('connects and leaves, as often as asked', async () => {
    const created = await trigger('connection_created', '--count', '2');
    assert.deepEqual(
      created.done.map(({ also }) => also),
      [['connection_deleted'], ['connection_deleted']],
    );
    // In the feed, one state of a connection replaces the one before it.
    assert.equal(created.heard.at(-1), 'connection_created');
    const deleted = await trigger('connection_deleted');
    assert.deepEqual(deleted.done[0].also, []);
    assert.equal(deleted.heard.at(-1), 'connection_deleted');
    const fresh = await trigger('connection_created');
    assert.deepEqual([fresh.done[0].also, fresh.heard], [[], ['connection_created']]);
  });

  test('asks everybody for a sandbox row only when allowed, and takes it out again', async () => {
    const config = async () => (await user.portal.requestFields(user.serviceId)).request_fields;
    const rows = await config();
    const refused = await user.run('trigger', 'consent_declined');
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /^error: Nothing waits for the sandbox person's consent\. --allow-publish adds the request row symbolon_sandbox for a moment and removes it again; all \d connected to Bike Club are asked for it until then\.\n$/,
    );
    assert.deepEqual(await config(), rows);
    const declined = await trigger('consent_declined', '--allow-publish');
    assert.equal(declined.done[0].slug, 'symbolon_sandbox');
    assert.ok(declined.heard.includes('consent_declined symbolon_sandbox'));
    assert.deepEqual(await config(), rows);
    assert.deepEqual(await world.players.aiko.client.consents(), []);
  });

  test('answers what the company itself has asked for', async () => {
    const { request_fields } = await user.portal.requestFields(user.serviceId);
    const rows = request_fields.map(({ id: _, ...row }) => row);
    const more = ['motto', 'nickname'].map((slug) => ({ slug, label: slug, type: 'text' }));
    await user.portal.publishRequestFields(user.serviceId, [...rows, ...more]);
    await drained();
    const declined = await trigger('consent_declined', '--slug', 'nickname');
    assert.deepEqual(declined.heard, ['consent_declined nickname']);
    const accepted = await trigger('consent_accepted');
    assert.deepEqual(accepted.heard, ['consent_accepted motto']);
    await user.portal.publishRequestFields(user.serviceId, rows);
    await drained();
  });

  test('has the data client ask, enrolls, and approves with the digits', async () => {
    const event = '2fa_challenge_completed';
    const lacking = await user.run('trigger', event);
    assert.deepEqual([lacking.code, /--config FILE/.test(lacking.stderr)], [2, true]);
    const config = ['--config', world.credentials.config_file];
    const first = await trigger(event, ...config);
    assert.deepEqual([first.done[0].value, first.heard], ['approved', [event]]);
    assert.deepEqual((await user.portal.oauthApps()).length, 0, 'the app for the enrolment is gone');
    await user.portal.setNumberMatching(user.serviceId, true);
    const second = await trigger(event, ...config, '--count', '2');
    assert.deepEqual(
      second.done.map(({ value }) => value),
      ['approved', 'approved'],
    );
    await user.portal.setNumberMatching(user.serviceId, false);
  });

  test('writes to the service, and answers what its data client asks', async () => {
    const written = await trigger('message_received');
    assert.deepEqual(written.heard, ['message_received']);
    assert.match(written.done[0].value, /^Hello from the sandbox/);
    const config = ['--config', world.credentials.config_file];
    const rejected = await trigger('connection_request_rejected', ...config);
    assert.deepEqual(rejected.heard, ['connection_request_rejected']);
    const accepted = await trigger('connection_request_accepted', ...config);
    assert.deepEqual(accepted.heard, ['connection_created', 'connection_request_accepted']);
  });

  test('is given documents and flows by the data client, and leaves nothing behind', async () => {
    const config = ['--config', world.credentials.config_file];
    await trigger('message_received');
    const flows = await user.portal.flows.list(user.serviceId);
    const kept = await Array.fromAsync(client.documents.list());
    for (const [event, heard] of [
      ['document_created', ['document_created', 'document_deleted']],
      ['document_updated', ['document_created', 'document_updated', 'document_deleted']],
      ['document_deleted', ['document_created', 'document_deleted']],
      ['document_status_changed', ['document_created', 'document_status_changed', 'document_deleted']],
      ['flow_run_turn', ['flow_run_turn', 'flow_completed']],
      ['flow_completed', ['flow_run_turn', 'flow_completed']],
    ] as const) {
      const lacking = await user.run('trigger', event);
      assert.deepEqual([lacking.code, /--config FILE/.test(lacking.stderr)], [2, true]);
      const raised = await trigger(event, ...config);
      assert.deepEqual(raised.heard, heard, event);
      assert.deepEqual(
        new Set([event, ...raised.done[0].also]),
        new Set(heard),
        'what else it raised on the way is said',
      );
    }
    assert.deepEqual(await user.portal.flows.list(user.serviceId), flows);
    assert.deepEqual(await Array.fromAsync(client.documents.list()), kept);
  });

  test('lists every event, and says what cannot be raised', async () => {
    const { stdout } = await user.run('trigger', '--list');
    const lines = stdout.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split(' ')[0]),
      eventNames,
    );
    assert.match(stdout, /field_updated +the sandbox person gives a field/);
    assert.deepEqual(
      lines.filter((line) => line.endsWith('not by this command')).map((line) => line.split(' ')[0]),
      ['key_rotated', 'service_key_rotated'],
    );
    for (const [args, text] of [
      [[], /Say which event/],
      [['key_rotated'], /key_rotated is not raised by this command/],
      [['nothing_such'], /There is no event nothing_such/],
      [['field_updated', '--slug', 'nope'], /The service has no row nope\. It asks for full_name, /],
      [['field_updated', '--slug', 'card'], /The row card cannot be used for this/],
      [['field_deleted', '--slug', 'full_name'], /The row full_name cannot be used for this/],
    ] as const) {
      const { code, stderr } = await user.run('trigger', ...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, text);
    }
  });
});
