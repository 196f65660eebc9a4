import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startAnswering } from '@symbolon/testkit/cli/answering';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';

const [HELD, FORMER] = ['019bd0f2-8c00-7000-8000-000000000001', '019bd0f2-8c00-7000-8000-000000000002'];

describe('symbolon documents cancel', () => {
  const asked: [string | undefined, unknown][] = [];
  let server: Awaited<ReturnType<typeof startAnswering>>;
  let env: Record<string, string>;
  before(async () => {
    server = await startAnswering(({ method, url, body }) => {
      if (method === 'GET')
        return [
          200,
          {
            connections: [
              { id: 'c-1', services: [{ documents: [] }], documents: [] },
              { id: 'c-2', services: [{ documents: [{ id: HELD }] }], documents: [{ id: FORMER }] },
            ],
          },
        ];
      asked.push([url, body]);
      if (url.includes(FORMER ?? ''))
        return [
          409,
          { error: 'This document cannot be cancelled here.', error_key: 'documents.not_cancellable' },
        ];
      return [200, { id: HELD, name: 'Lease\u001b[2J', status: 'active_but_ending' }];
    });
    env = {
      SYMBOLON_URL: server.url,
      SYMBOLON_ACCOUNT_CLIENT_ID: 'acct_x',
      SYMBOLON_ACCOUNT_CLIENT_SECRET: 's',
    };
  });
  after(() => server.close());

  test('finds the connection of the document, and sends the note', async () => {
    const { code, stdout, stderr } = await symbolon(
      ['documents', 'cancel', HELD ?? '', '--note', 'We move.'],
      { env },
    );
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Lease\S* {2}active_but_ending\n$/);
    assert.ok(!stdout.includes('\u001b[2J'), 'what a company wrote does not reach the terminal as it is');
    const json = await symbolonProcess(['documents', 'cancel', HELD ?? '', '--json'], { env });
    assert.equal(JSON.parse(json.stdout).status, 'active_but_ending');
    const path = `/api/company-connections/c-2/documents/${HELD}/cancel`;
    assert.deepEqual(asked, [
      [path, { note: 'We move.' }],
      [path, {}],
    ]);
  });

  test('what is unknown, what may not be cancelled, and who is not configured, is said in one line', async () => {
    const unknown = await symbolon(['documents', 'cancel', 'x'], { env });
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /^error: No connection of the company has a document x\.\n$/);
    const refused = await symbolon(['documents', 'cancel', FORMER ?? ''], { env });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^error: [^\n]*documents\.not_cancellable[^\n]*\n$/);
    const nobody = await symbolon(['documents', 'cancel', 'x']);
    assert.equal(nobody.code, 2);
    assert.match(nobody.stderr, /SYMBOLON_ACCOUNT_CLIENT_ID/);
  });
});
