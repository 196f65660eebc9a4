import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { symbolon } from '../testing/command.ts';

const ID = '0198c0de-0000-7000-8000-000000000000';

describe('symbolon 2fa', () => {
  const asked: unknown[] = [];
  let outcome = 'approved';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const say = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url === '/oauth2/token')
        return say(200, { token_type: 'Bearer', access_token: 't', expires_in: 3600 });
      if (request.method === 'GET')
        return say(200, { status: outcome, completed_at: '2026-01-31T09:31:00.000Z' });
      asked.push(JSON.parse(Buffer.concat(chunks).toString()));
      const expires_at = '2026-01-31T09:35:00.000Z';
      return say(201, { challenge_id: ID, status: 'pending', expires_at, matching_digits: '07' });
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

  test('asks a person and waits for the outcome', async () => {
    const args = ['2fa', 'challenge', 'K7QW2M', '--context', 'Sign-in', '--idempotency-key', 'k', '--wait'];
    const plain = await symbolon(args, { env });
    assert.equal(plain.code, 0, plain.stderr);
    assert.match(plain.stdout, new RegExp(`${ID}.*digits 07\napproved\n`));
    assert.deepEqual(asked, [{ share_code: 'K7QW2M', idempotency_key: 'k', context: 'Sign-in' }]);
    const json = await symbolon([...args, '--json'], { env });
    const lines = json.stdout.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).status),
      ['pending', 'approved'],
    );
  });

  test('watch fails unless the person approved', async () => {
    outcome = 'denied';
    const { code, stdout } = await symbolon(['2fa', 'watch', ID], { env });
    assert.deepEqual([code, stdout], [1, 'denied\n']);
  });
});
