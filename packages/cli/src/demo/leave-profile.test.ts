import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { RunningCommand, symbolon } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/cli/world';

test('listen and trigger work at once against a demo that stays, and nothing of it is left afterwards', async () => {
  using folder = temporaryFolder();
  const env = { XDG_CONFIG_HOME: folder.path };
  const demo = new RunningCommand(['demo', '--keep', '--port', '0'], { env });
  await demo.line(/Webhooks may call this machine here/);
  const profile = folder.file('symbolon/profiles/demo.json');
  assert.equal(statSync(profile).mode & 0o777, 0o600);

  const listener = new RunningCommand(['listen'], { env });
  await listener.line(/Listening to Harbour Bikes, Bike Club CLUB/);
  const { code, stdout } = await symbolon(['trigger', 'field_updated', '--slug', 'home'], { env });
  assert.equal(code, 0);
  const [, shareCode = '', street = ''] =
    /✓ field_updated +(\w+) {2}home {2}\{"street":"([^"]+)"/.exec(stdout) ?? [];
  // Opened with the key the demo left behind.
  await listener.line(new RegExp(`field_updated +${shareCode} +home {2}${street}, `));
  assert.equal((await listener.end('SIGINT')).code, 0);
  assert.equal((await demo.end('SIGINT')).code, 0);
  assert.equal(existsSync(profile), false);
});

test('the commands of the loop explain themselves', async () => {
  for (const command of ['login', 'logout', 'listen', 'trigger']) {
    const { code, stdout } = await symbolon([command, '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /Examples:\n {2}\$ symbolon/);
  }
});
