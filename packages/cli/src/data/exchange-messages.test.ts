import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { symbolon } from '../testing/command.ts';

const ID = '0198c0de-0000-7000-8000-000000000000';

describe('symbolon messages and connect-request', () => {
  const asked: [string | undefined, unknown][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const say = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url === '/oauth2/token')
        return say(200, { token_type: 'Bearer', access_token: 't', expires_in: 3600 });
      asked.push([request.url, JSON.parse(Buffer.concat(chunks).toString())]);
      if (request.url?.endsWith('/read')) return say(200, { read: 2 });
      if (request.url?.endsWith('/broadcast')) return say(201, { broadcast_id: ID, recipients: 3 });
      return say(201, { request_id: ID });
    });
  });
  let env: Record<string, string>;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    env = {
      SYMBOLON_URL: `http://127.0.0.1:${port}`,
      SYMBOLON_CLIENT_ID: 'svc_x',
      SYMBOLON_CLIENT_SECRET: 's',
    };
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
    const { code, stderr } = await symbolon(['messages', 'send', 'c-1', 'hello'], { env });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /private key/);
  });
});
