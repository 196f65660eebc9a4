import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServiceKey } from '@symbolon/crypto';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { ConfigurationError } from '../http/errors.ts';
import { DataClient } from './data-client.ts';
import { optionsFromEnvironment, optionsFromFile } from './options.ts';

function folder(context: TestContext): string {
  const { path } = temporaryFolder(context);
  return path;
}

function refused(use: () => unknown): ConfigurationError {
  try {
    use();
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error;
  }
  return assert.fail('nothing was refused');
}

test('the error about missing options spells them as in the environment or the file', (t) => {
  const environment = refused(() => DataClient.fromEnvironment({ SYMBOLON_CLIENT_ID: 'svc_1' }));
  assert.deepEqual(environment.details.missing, ['SYMBOLON_URL', 'SYMBOLON_CLIENT_SECRET']);
  assert.match(environment.message, /or name a configuration file in SYMBOLON_CONFIG\.$/);
  const path = join(folder(t), 'client.json');
  writeFileSync(path, JSON.stringify({ client_id: 'svc_1' }));
  const file = refused(() => DataClient.fromFile(path));
  assert.deepEqual(file.details.missing, ['base_url', 'client_secret']);
  assert.equal(file.message, 'Missing: base_url, client_secret.');
});

test('options of the environment override those of the file it names, whose key path is relative to that file', (t) => {
  const at = folder(t);
  const path = join(at, 'client.json');
  const file = {
    front_door_url: 'https://front.example',
    client_id: 'svc_1',
    client_secret: 'from file',
    private_key_file: 'key.pem',
    passphrase: 'p',
  };
  writeFileSync(path, JSON.stringify(file));
  const options = optionsFromEnvironment({
    SYMBOLON_CONFIG: path,
    SYMBOLON_CLIENT_SECRET: 'from environment',
  });
  assert.deepEqual(options, {
    url: 'https://front.example',
    clientId: 'svc_1',
    clientSecret: 'from environment',
    privateKey: { file: join(at, 'key.pem'), passphrase: 'p' },
  });
});

test('the downloaded PEM opens with its passphrase, and the error about any other passphrase contains neither', async () => {
  const { privateKeyPem: pem, passphrase } = await createServiceKey();
  const options = { url: 'https://front.example', clientId: 'svc_1', clientSecret: 's' };
  await using _ = new DataClient({ ...options, privateKey: { pem, passphrase } });
  const wrong = refused(
    () => new DataClient({ ...options, privateKey: { pem, passphrase: 'not this one' } }),
  );
  assert.equal(wrong.errorKey, 'sdk.private_key');
  assert.doesNotMatch(wrong.message, /not this one|BEGIN/);
  const none = refused(() => new DataClient({ ...options, privateKey: { pem } }));
  assert.deepEqual(none.details.missing, ['passphrase']);
});

test('a configuration file may be in UTF-8 or UTF-16, with a byte order mark', (t) => {
  const path = join(folder(t), 'client.json');
  const text = '\ufeff{"base_url":"https://front.example","client_id":"svc_1","client_secret":"s"}';
  const little = Buffer.from(text, 'utf16le');
  for (const bytes of [Buffer.from(text), little, Buffer.from(little).swap16()]) {
    writeFileSync(path, bytes);
    assert.equal(optionsFromFile(path).clientId, 'svc_1');
  }
});

test('options report files that are absent or not JSON, and addresses that are not valid', (t) => {
  assert.match(refused(() => optionsFromFile('/nowhere/client.json')).message, /ENOENT/);
  const path = join(folder(t), 'client.json');
  writeFileSync(path, 'not json');
  assert.match(refused(() => optionsFromFile(path)).message, /not a JSON object/);
  const options = { clientId: 'svc_1', clientSecret: 's' };
  for (const url of ['front.example', 'ftp://front.example', 'https://user:pw@front.example']) {
    assert.match(refused(() => new DataClient({ ...options, url })).message, /not an absolute/);
  }
});
