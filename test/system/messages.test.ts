import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DataClient } from '@symbolon/sdk';
import { PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { handleChange } from '../../examples/support-messages/answer.ts';

/* The SDK of each side against the real platform. */

const PASSWORD = 'correct horse battery';

onPlatform('messages by the SDK', (platform) => {
  test('a service asks a person to connect, they write to each other, and the example answers', async (t) => {
    const baseUrl = platform().url;
    const owner = { baseUrl, name: 'Acme', email: 'messages@example.com', password: PASSWORD };
    const { client: portal } = await PortalClient.register(owner);
    const made = await portal.createService({ name: 'Shop', adminEmail: 'ops@example.com' });
    const { id } = made.service;
    await portal.publishRequestFields(id, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
    const { client_id: clientId, client_secret: clientSecret } = await portal.registerDataClient(id);
    const privateKey = { pem: made.pem, passphrase: made.passphrase };
    const client = new DataClient({ url: baseUrl, clientId, clientSecret, privateKey, threads: 1 });
    t.after(() => client.close());
    const access = { baseUrl, email: 'ada.messages@example.com', password: PASSWORD };
    const { client: ada } = await PersonClient.register({ ...access, displayName: 'Ada' });

    const request = await client.connectRequests.send(ada.person.share_code);
    const [asked] = await ada.connectRequests.pending();
    assert.equal(asked?.request_id, request.id);
    const { connection_id: connectionId } = await ada.connectRequests.accept(request.id, {
      nick: { value: 'Ada' },
    });
    const accepted = await Promise.all((await client.changes()).map((event) => client.openChange(event)));
    assert.deepEqual(
      accepted.map(({ event, requestId }) => [event, requestId]),
      [
        ['connection_created', undefined],
        ['connection_request_accepted', request.id],
      ],
    );

    const sent = await ada.messages.send(connectionId, 'Where is my parcel?');
    const [event] = await client.changes();
    assert.ok(event);
    const change = await client.openChange(event);
    assert.deepEqual(
      [change.event, change.connectionId, change.messageId, change.messageBody],
      ['message_received', connectionId, sent.id, 'Where is my parcel?'],
    );
    const answer = () => 'It arrives today.';
    await handleChange(client, change, answer);
    // After a crash the pump hands it out again.
    await handleChange(client, change, answer);
    await client.messages.broadcast('We are closed on Monday.');
    const thread = await ada.messages.list(connectionId);
    assert.deepEqual(
      thread.map(({ direction, text, broadcast, readAt }) => [direction, text, broadcast, readAt !== null]),
      [
        ['inbound', 'We are closed on Monday.', true, false],
        ['inbound', 'It arrives today.', false, false],
        ['outbound', 'Where is my parcel?', false, true],
      ],
    );
    assert.equal((await ada.messages.threads())[0]?.unread, 2);
    assert.equal(await ada.messages.markRead(connectionId, thread[0]?.id ?? ''), 2);
    const own = [];
    for await (const message of client.messages.list(connectionId, { pageSize: 1 })) own.push(message);
    assert.deepEqual(
      own.map(({ direction, text, readAt }) => [direction, text, readAt !== null]),
      [
        ['outbound', 'It arrives today.', true],
        ['inbound', 'Where is my parcel?', true],
      ],
    );
  });

  test('a person rejects a request, blocks a service, and takes that back', async () => {
    const baseUrl = platform().url;
    const owner = { baseUrl, name: 'Noise', email: 'noise@example.com', password: PASSWORD };
    const { client: portal } = await PortalClient.register(owner);
    const { service } = await portal.createService({ name: 'Calls', adminEmail: 'ops@example.com' });
    const { client_id: clientId, client_secret: clientSecret } = await portal.registerDataClient(service.id);
    await using client = new DataClient({ url: baseUrl, clientId, clientSecret });
    const access = { baseUrl, email: 'ben.messages@example.com', password: PASSWORD };
    const { client: ben } = await PersonClient.register({ ...access, displayName: 'Ben' });
    const ask = () => client.connectRequests.send(ben.person.share_code);
    const pending = async () => (await ben.connectRequests.pending()).map(({ request_id }) => request_id);
    await ben.connectRequests.reject((await ask()).id);
    const { id } = await ask();
    assert.deepEqual(await pending(), [id]);
    await ben.connectRequests.block(id);
    assert.deepEqual(await pending(), []);
    assert.deepEqual(
      (await ben.connectRequests.blocked()).map((blocked) => blocked.service.id),
      [service.id],
    );
    await ben.connectRequests.unblock(service.id);
    assert.deepEqual(await pending(), [id]);
    await assert.rejects(client.messages.send(id, 'hello'), { errorKey: 'sdk.private_key' });
  });
});
