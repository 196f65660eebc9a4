import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { generateKeyPair } from '@symbolon/crypto';
import { serviceKeyFile, sharedPublicKey } from '@symbolon/testkit/actors/actors';
import { startAnswering } from '@symbolon/testkit/cli/answering';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/folder';

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

  test('a key that one command sealed to is known to the next, which refuses another one', async () => {
    using folder = temporaryFolder();
    const { pem, passphrase } = await serviceKeyFile();
    writeFileSync(folder.file('service.pem'), pem);
    const [known, other] = [await sharedPublicKey(), (await generateKeyPair()).publicKey];
    let named = known;
    let sent = 0;
    let isGone = false;
    const lying = await startAnswering(({ method, url }) => {
      if (url === '/api/keys/batch') return [200, { keys: { [ID]: named, 'c-1': other } }];
      if (isGone && method === 'GET')
        return [404, { error_key: 'connections.not_found', message: 'It ended.' }];
      if (method === 'GET') return [200, { connection_id: 'c-1', user_id: ID }];
      sent++;
      return [201, { message_id: ID, connection_id: 'c-1', created_at: '2026-01-01T00:00:00.000Z' }];
    });
    const own = {
      ...env,
      SYMBOLON_URL: lying.url,
      SYMBOLON_PRIVATE_KEY_FILE: folder.file('service.pem'),
      SYMBOLON_PASSPHRASE: passphrase,
      XDG_CONFIG_HOME: folder.path,
    };
    const send = () => symbolonProcess(['messages', 'send', 'c-1', 'hello'], { env: own });
    try {
      assert.deepEqual(await send(), { code: 0, stdout: `${ID}\n`, stderr: '' });
      assert.equal((await send()).code, 0);
      named = other;
      const refused = await send();
      assert.notEqual(refused.code, 0);
      assert.match(refused.stderr, /names other keys|sdk\.person_key_changed|another key/);
      // Its id may be that of a person, too.
      isGone = true;
      writeFileSync(folder.file('a.pdf'), '%PDF-1.4');
      const document = ['documents', 'send', folder.file('a.pdf'), '--to', 'c-1'];
      const misled = await symbolonProcess(document, { env: own });
      assert.equal(misled.code, 1, misled.stderr);
      assert.equal(sent, 2);
    } finally {
      lying.close();
    }
  });

  test('a message needs the private key of the service', async () => {
    const { code, stderr } = await symbolonProcess(['messages', 'send', 'c-1', 'hello'], { env });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /private key/);
  });
});
