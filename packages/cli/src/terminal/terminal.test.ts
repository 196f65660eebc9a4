import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { noTerminal, onTerminal, pipedOnTerminal } from '@symbolon/testkit/cli/on-terminal';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, temporaryFolder, type World } from '@symbolon/testkit/cli/world';

describe('commands on a real terminal', { skip: noTerminal }, () => {
  const folder = temporaryFolder();
  let world: World;
  let signedIn: SignedIn;
  let config: string[];
  before(async () => {
    world = await createWorld();
    signedIn = await signIn(world);
    config = ['--config', world.credentials.config_file];
  });
  after(async () => {
    signedIn?.[Symbol.dispose]();
    await world?.clear();
    folder[Symbol.dispose]();
  });

  test('connections lists everybody, without the line for an empty list', async () => {
    const { code, output } = await onTerminal(['connections', ...config]);
    assert.equal(code, 0);
    const shown = stripVTControlCharacters(output);
    for (const name of ['Mira', 'Jonas', 'Aiko']) assert.match(shown, new RegExp(`^${name}  `, 'm'));
    assert.doesNotMatch(shown, /Nobody/);
  });

  test('connections stops after --limit', async () => {
    const { output } = await onTerminal(['connections', '--limit', '2', ...config]);
    assert.equal(stripVTControlCharacters(output).match(/ since \d{4}-/g)?.length, 2);
  });

  test('connections piped on shows its progress on the terminal only', async () => {
    const { code, output } = await pipedOnTerminal(['connections', '--json', ...config]);
    assert.equal(code, 0);
    assert.match(output, /3\/3 connections|0\/3 connections/);
    assert.equal(output.match(/^.*"displayName":/gm)?.length, 3);
  });

  test('pump prints every change in colour', async () => {
    const buffer = ['--buffer', folder.file('changes.db')];
    const { code, output } = await onTerminal(['pump', '--once', ...buffer, ...config]);
    assert.equal(code, 0);
    assert.ok(output.includes('\u001b['));
    assert.match(output, /connection_created/);
  });

  for (const args of [['whoami'], ['services'], ['clients'], ['api', 'GET', '/api/account']]) {
    test(`${args.join(' ')} works`, async () => {
      const { code, output } = await onTerminal(args, signedIn.env);
      assert.equal(code, 0, output);
    });
  }

  test('doctor marks what it finds', async () => {
    const { code, output } = await onTerminal(['doctor', ...config]);
    assert.equal(code, 0, output);
    assert.equal(stripVTControlCharacters(output).match(/^✓/gm)?.length, 8);
  });
});
