import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startAnswering } from '@symbolon/testkit/cli/answering';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';

const ID = '0198c0de-0000-7000-8000-000000000000';

describe('symbolon 2fa', () => {
  const asked: unknown[] = [];
  let outcome = 'approved';
  let server: Awaited<ReturnType<typeof startAnswering>>;
  let env: Record<string, string>;
  before(async () => {
    server = await startAnswering(({ method, body }) => {
      if (method === 'GET') return [200, { status: outcome, completed_at: '2026-01-31T09:31:00.000Z' }];
      asked.push(body);
      const expires_at = '2026-01-31T09:35:00.000Z';
      return [201, { challenge_id: ID, status: 'pending', expires_at, matching_digits: '07' }];
    });
    env = { SYMBOLON_URL: server.url, SYMBOLON_CLIENT_ID: 'svc_x', SYMBOLON_CLIENT_SECRET: 's' };
  });
  after(() => server.close());

  test('asks a person and waits for the outcome', async () => {
    const args = ['2fa', 'challenge', 'K7QW2M', '--context', 'Sign-in', '--idempotency-key', 'k', '--wait'];
    const plain = await symbolonProcess(args, { env });
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
