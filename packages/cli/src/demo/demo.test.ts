import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { decryptPem, importPrivateKey, openText } from '@symbolon/crypto';
import { systemRegistry } from '@symbolon/field-types';
import { PersonClient } from '@symbolon/sdk/person';
import { RunningCommand, symbolon } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/cli/world';
import { columns } from '../terminal/text.ts';
import { requestRows } from './cast.ts';
import { terminalNarrator } from './narrator.ts';

describe('symbolon demo', { concurrency: true }, () => {
  test('asks for every type that has an inline value of its own', () => {
    const isInline = (type: string) => systemRegistry.resolve(type)?.lane === 'inline';
    const inline = systemRegistry
      .order()
      .filter((type) => isInline(type) && systemRegistry.isRequestable(type));
    const asked = new Set(requestRows.map(({ type }) => type));
    assert.deepEqual(Array.from(asked).sort(), inline.sort());
  });

  test('tells the story in plain text without a terminal, and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await symbolon(['demo']);
    assert.deepEqual([code, stderr], [0, '']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
    assert.doesNotMatch(stdout, /\u001b/);
    assert.match(
      stdout,
      /email +mira\.okafor@post\.example +\{_enc:1 d:\S+… +mira\.okafor@post\.example +live ✓ verified/,
    );
    assert.match(stdout, /field_updated +phone +\{_enc:1 d:\S+… → \+4915155500143/);
    assert.match(stdout, /Company hears +document_status_changed: active\n +Sealed +both hold the same file/);
    assert.match(stdout, /Backend reads +cargo, 6, two children\n/);
    assert.match(stdout, /The site reads +\w{6}, mira\.okafor@post\.example ✓ verified/);
    assert.match(stdout, /login form shows \d\d\n(.*\n){2} +Company reads +approved/);
    const [, folder = ''] = /embedded, in (\S+)/.exec(stdout) ?? [];
    assert.equal(existsSync(folder), false);
  });

  test('is coloured where colours are wanted', () => {
    const printed: string[] = [];
    const stream = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 90,
      hasColors: () => true,
      getColorDepth: () => 8,
    });
    stream.on('data', (chunk) => printed.push(String(chunk)));
    const tell = terminalNarrator(stream as unknown as NodeJS.WriteStream);
    tell.chapter('A beginning');
    tell.say('word '.repeat(40).trim());
    const lines = printed.join('').split('\n');
    assert.equal(lines[1], '\u001b[1m\u001b[36m1  A beginning\u001b[39m\u001b[22m');
    assert.ok(lines.every((line) => columns(line) <= 90));
  });

  test('with --keep it leaves a platform running on which its commands work', async () => {
    using folder = temporaryFolder();
    const data = folder.file('demo');
    const demo = new RunningCommand(['demo', '--keep', '--port', '0', '--data', data, '--json']);
    const outcome = JSON.parse((await demo.line(/^\{.*\}$/m))[0]);
    const { credentials, values, edited, descendant } = outcome;

    assert.equal(outcome.ok, true);
    assert.equal(outcome.connections, 3);
    assert.equal(values.length, 28);
    for (const value of values) assert.equal(value.decrypted, value.typed);
    assert.deepEqual(
      [edited.typed, edited.decrypted, edited.event],
      ['+4915155500143', '+4915155500143', 'field_updated'],
    );
    assert.deepEqual([descendant.asked, descendant.answered_by], ['date', 'date_of_birth']);
    assert.deepEqual([outcome.signIn.decrypted, outcome.signIn.verified], ['mira.okafor@post.example', true]);
    assert.deepEqual(
      [outcome.approval.status, outcome.approval.told_again],
      ['approved', 'twofa.result_consumed'],
    );
    const { contract } = outcome;
    assert.deepEqual([contract.status, contract.method, contract.verdict], ['active', 'email', 'sealed']);
    const { flow } = outcome;
    assert.deepEqual([flow.status, flow.verdict], ['completed', 'sealed']);
    assert.deepEqual(flow.answers, { bike: 'cargo', months: '6', load: 'two children', price: '40' });
    assert.deepEqual(flow.signed_by, ['Mira Okafor', 'Hinnerk Petersen']);
    assert.equal(outcome.searched.found, 0);

    for (const file of [credentials.config_file, credentials.private_key_file, credentials.passphrase_file]) {
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    const passphrase = readFileSync(credentials.passphrase_file, 'utf8').trim();
    const key = await importPrivateKey(
      await decryptPem(readFileSync(credentials.private_key_file, 'utf8'), passphrase),
    );
    const email = values.find(({ slug }: { slug: string }) => slug === 'email');
    assert.equal(await openText(email.stored, key), email.typed);

    const config = ['--config', credentials.config_file];
    const connections = await symbolon(['connections', '--json', ...config]);
    // Three of the story, and five of the month before it.
    assert.equal(connections.stdout.trim().split('\n').length, 8);
    const documents = await symbolon(['documents', 'list', ...config]);
    assert.match(documents.stdout, /agreement ready_to_sign .*\n.*agreement active /);
    const { person_email: jonas, person_password: password } = credentials;
    const { person } = await PersonClient.login({ baseUrl: outcome.url, email: jonas, password });
    assert.equal(person.display_name, 'Jonas');
    const pump = await symbolon(['pump', '--once', '--json', ...config, '--buffer', credentials.buffer_file]);
    const changes = pump.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      changes.map(({ event, value }) => [event, value?.city]),
      [
        ['2fa_challenge_completed', undefined],
        ['field_updated', 'Stockholm'],
        // The company's own act: the contract that waits for Jonas.
        ['document_created', undefined],
        ['document_updated', undefined],
        // And a flow, whose turn is his.
        ['flow_run_turn', undefined],
      ],
    );
    const basic = Buffer.from(`${credentials.client_id}:${credentials.client_secret}`).toString('base64');
    const token = await fetch(`${outcome.url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    assert.equal(token.status, 200);
    assert.equal((await fetch(`${outcome.url}/explorer`)).status, 200);

    assert.equal((await demo.end('SIGINT')).code, 0);
    const again = await symbolon(['demo', '--data', data]);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /holds a platform already/);
  });
});
