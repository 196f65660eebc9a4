import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { createWorld, temporaryFolder, type World } from '@symbolon/testkit/cli/world';
import { contractPdf } from '../demo/contract-pdf.ts';

describe('symbolon documents', () => {
  let world: World;
  let config: string[];
  before(async () => {
    world = await createWorld();
    config = ['--config', world.credentials.config_file];
  });
  after(() => world.clear());

  test('send and list take the id of a connection, as symbolon connections shows it, or of the customer', async () => {
    using folder = temporaryFolder();
    const file = folder.file('lease.pdf');
    writeFileSync(file, contractPdf(['Lease']));
    const shown = await symbolonProcess(['connections', '--limit', '1', ...config]);
    const [, connectionId = ''] = /^Mira .* (\S+)$/m.exec(shown.stdout) ?? [];
    const { person_user_id: personId, share_code: code } = world.players.mira.client.person;
    for (const id of [connectionId, personId]) {
      const sent = await symbolon(['documents', 'send', file, '--to', id, '--sign', ...config]);
      assert.deepEqual([sent.code, sent.stderr], [0, '']);
      assert.match(sent.stdout, new RegExp(`^lease\\.pdf  document ready_to_sign  ${code}  `));
    }
    const listed = await symbolon(['documents', 'list', '--to', connectionId, ...config]);
    assert.equal(listed.stdout.trim().split('\n').length, 2);
    const unknown = await symbolon(['documents', 'send', file, '--to', 'nobody', ...config]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /There is no such person or company/);
  });

  test('send refuses a PDF that could not be sealed, before the customer reads it', async () => {
    using folder = temporaryFolder();
    const file = folder.file('broken.pdf');
    writeFileSync(file, '%PDF-1.7 broken');
    const to = ['--to', world.players.jonas.client.person.person_user_id];
    const refused = await symbolon(['documents', 'send', file, ...to, '--sign', ...config]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^error: broken\.pdf could not be sealed once it is signed\. The file/);
    const { stdout } = await symbolon(['documents', 'list', ...to, ...config]);
    assert.match(stdout, /There are no documents/);
  });
});
