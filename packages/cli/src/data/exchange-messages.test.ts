import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startAnswering } from '@symbolon/testkit/cli/answering';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';

const ID = '0198c0de-0000-7000-8000-000000000000';

describe('symbolon messages and connect-request', () => {
  const asked: [string | undefined, unknown][] = [];
  let server: Awaited<ReturnType<typeof startAnswering>>;
  let env: Record<string, string>;
  before(async () => {
    server = await startAnswering(({ url, body }) => {
      asked.push([url, body]);
      if (url.endsWith('/read')) return [200, { read: 2 }];
      if (url.endsWith('/broadcast')) return [201, { broadcast_id: ID, recipients: 3 }];
      return [201, { request_id: ID }];
    });
    env = { SYMBOLON_URL: server.url, SYMBOLON_CLIENT_ID: 'svc_x', SYMBOLON_CLIENT_SECRET: 's' };
  });
  after(() => server.close());

  test('ask a person, broadcast and acknowledge', async () => {
    const runs = [
      await symbolon(['connect-request', 'K7QW2M'], { env }),
      await symbolon(['messages', 'broadcast', 'closed'], { env }),
      await symbolon(['messages', 'read', 'c-1', 'm-1', '--json'], { env }),
    ];
    assert.deepEqual(
      runs.map(({ code, stdout }) => [code, stdout]),
      [
        [0, `${ID}\n`],
        [0, `${ID}  to 3 people\n`],
        [0, '{"read":2}\n'],
      ],
    );
    assert.deepEqual(asked, [
      ['/api/company-data/connect-requests', { share_code: 'K7QW2M' }],
      ['/api/company-data/broadcast', { body: 'closed' }],
      ['/api/company-data/connections/c-1/messages/read', { up_to_message_id: 'm-1' }],
    ]);
  });

  test('a message needs the private key of the service', async () => {
    const { code, stderr } = await symbolonProcess(['messages', 'send', 'c-1', 'hello'], { env });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /private key/);
  });
});
