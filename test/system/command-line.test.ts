/** A company is registered, set up by a file and run by commands, each a process of its own, against a platform that is one too. */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { symbolonProcess } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { PlatformProcess } from '@symbolon/testkit/platform/process';

const FILE = `version: 1
services:
  - code: SHOP
    name: Shop
    admin_email: ops@acme.example
    fields: [{slug: email, label: E-mail, type: email}]
`;

describe('the command line', () => {
  const folder = temporaryFolder();
  let platform: PlatformProcess;
  before(async () => {
    platform = await PlatformProcess.create({
      SYMBOLON_DATA_DIR: folder.file('data'),
      SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'true',
    });
    await platform.start();
  });
  after(async () => {
    await platform?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('leads from nothing to a company that is as its file says', async () => {
    const env: Record<string, string> = { XDG_CONFIG_HOME: folder.path };
    const run = async (args: readonly string[], input = '') => {
      const ended = await symbolonProcess(args, { env, input });
      assert.equal(ended.code, 0, `${args.join(' ')}: ${ended.stderr}`);
      return ended.stdout;
    };
    const recovery = folder.file('recovery.txt');
    const account = ['--name', 'Acme', '--email', 'owner@acme.example', '--url', platform.url];
    const secret = ['--password-file', '-', '--without-code', '--out', recovery, '--json'];
    const registered = JSON.parse(
      await run(['register', ...account, ...secret], 'correct horse battery staple\n'),
    );
    assert.equal(registered.profile, 'default');
    assert.equal(statSync(recovery).mode & 0o777, 0o600);
    const again = await symbolonProcess(['register', ...account, ...secret], { env });
    assert.deepEqual([again.code, again.stdout], [2, ''], 'a session is not lost to another company');

    const robot = folder.file('robot.json');
    await run(['clients', 'create', '--name', 'Robot', '--capability', 'service_management', '--out', robot]);
    const { recovery_key_fingerprint } = JSON.parse(
      readFileSync(folder.file('symbolon/profiles/default.json'), 'utf8'),
    );
    const machine = ['--config', robot];
    env.SYMBOLON_RECOVERY_KEY_FINGERPRINT = recovery_key_fingerprint;
    writeFileSync(folder.file('company.yaml'), FILE);
    const file = ['-f', folder.file('company.yaml'), ...machine];
    assert.equal((await symbolonProcess(['diff', ...file], { env })).code, 2);
    await run(['apply', ...file, '--secrets', folder.file('secrets')]);
    assert.equal(await run(['diff', ...file, '--prune']), 'Nothing is to change.\n');
    const exported = await run(['export', '--no-apps', ...machine]);
    assert.match(exported, /^version: 1\ncompany: \w+\nservices:\n {2}- code: SHOP\n {4}name: Shop\n/);
    const same = await symbolonProcess(['diff', '-f', '-', ...machine], { env, input: exported });
    assert.deepEqual([same.code, same.stdout], [0, 'Nothing is to change.\n'], same.stderr);
    assert.match(await run(['fields', ...machine]), /^slug .*\nemail +E-mail +email/);
  });
});
