import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fingerprintWords, parseEncryptedPrivateKey } from '@symbolon/crypto';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/cli/world';
import { without } from '@symbolon/testkit/tools';

const openssl = (...args: string[]) => execFileSync('openssl', args);
const skip = without('openssl');

describe('symbolon keys', { concurrency: true }, () => {
  const folder = temporaryFolder();
  let [out, pem, passphrase, publicKey, request, sha256] = ['', '', '', '', '', ''];

  before(async () => {
    out = folder.file('keys');
    pem = `${out}/service-key.pem`;
    passphrase = `${out}/passphrase.txt`;
    publicKey = `${out}/public-key.pem`;
    request = `${out}/create-service.json`;
    const { code, stdout } = await symbolonProcess([
      'keys',
      'generate',
      '--out',
      out,
      '--name',
      'Shop',
      '--json',
    ]);
    assert.equal(code, 0);
    sha256 = JSON.parse(stdout).public_key_sha256;
  });
  after(() => folder[Symbol.dispose]());

  test('generate writes files that only their owner reads, and no secret to the terminal', async () => {
    for (const file of [pem, passphrase, publicKey, request])
      assert.equal(statSync(file).mode & 0o777, 0o600);
    const { stdout } = await symbolon(['keys', 'generate', '--out', folder.file('again')]);
    const secret = readFileSync(`${folder.file('again')}/passphrase.txt`, 'utf8').trim();
    assert.ok(!stdout.includes(secret), stdout);
  });

  test('generate makes the request body of wire 2.2', () => {
    const body = JSON.parse(readFileSync(request, 'utf8'));
    assert.equal(body.name, 'Shop');
    assert.equal(parseEncryptedPrivateKey(body.encrypted_private_key).iter, 100_000);
    assert.equal(createHash('sha256').update(Buffer.from(body.public_key, 'base64')).digest('hex'), sha256);
    assert.equal(body.private_key_pem, readFileSync(pem, 'utf8'));
  });

  test('generate never writes over a key', async () => {
    const before = readFileSync(pem, 'utf8');
    const { code, stderr } = await symbolon(['keys', 'generate', '--out', out]);
    assert.equal(code, 1);
    assert.match(stderr, /is there already/);
    assert.equal(readFileSync(pem, 'utf8'), before);
  });

  test('generate without a folder prints the passphrase once', async () => {
    const { stdout } = await symbolon(['keys', 'generate', '--json']);
    const made = JSON.parse(stdout);
    const file = folder.file('printed.pem');
    writeFileSync(file, made.create_service.private_key_pem);
    const opened = await symbolon(['keys', 'open', file, '--json'], {
      env: { SYMBOLON_PASSPHRASE: made.passphrase },
    });
    assert.equal(JSON.parse(opened.stdout).public_key_sha256, made.public_key_sha256);
  });

  test('OpenSSL opens the PEM with the passphrase and finds the same key', { skip }, () => {
    const der = openssl('pkey', '-in', pem, '-passin', `file:${passphrase}`, '-pubout', '-outform', 'DER');
    assert.equal(createHash('sha256').update(der).digest('hex'), sha256);
    assert.throws(() =>
      execFileSync('openssl', ['pkey', '-in', pem, '-passin', 'pass:wrong'], { stdio: 'pipe' }),
    );
  });

  test('fingerprint knows a key in every form', async () => {
    const body = JSON.parse(readFileSync(request, 'utf8'));
    const der = Buffer.from(body.public_key, 'base64');
    const secret = readFileSync(passphrase, 'utf8').trim();
    const key = createPrivateKey({ key: readFileSync(pem), passphrase: secret });
    const plain = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const input of [
      readFileSync(publicKey, 'utf8'),
      body.public_key,
      `${body.public_key}\n`,
      der,
      plain,
    ]) {
      const { stdout, stderr } = await symbolonProcess(['keys', 'fingerprint', '-'], { input });
      assert.equal(stdout, `${sha256}\n`, stderr);
    }
    const encrypted = await symbolon(['keys', 'fingerprint', pem, '--passphrase-file', passphrase]);
    assert.equal(encrypted.stdout, `${sha256}\n`);
  });

  test('fingerprint tells the words that people compare', async () => {
    const words = await fingerprintWords(sha256);
    assert.equal((await symbolon(['keys', 'fingerprint', publicKey, '--words'])).stdout, `${words}\n`);
    const { stdout } = await symbolon(['keys', 'fingerprint', publicKey, '--json']);
    assert.deepEqual([JSON.parse(stdout).public_key_sha256, JSON.parse(stdout).words], [sha256, words]);
  });

  test('link carries the fingerprint of the key in the file', async () => {
    const codes = ['--company', 'ACME', '--service', 'SHOP'];
    const { stdout } = await symbolon(['keys', 'link', publicKey, '--url', 'https://x.example', ...codes]);
    assert.equal(stdout, `https://x.example/connect/ACME/SHOP#k=${sha256.slice(0, 32)}\n`);
    assert.equal((await symbolon(['keys', 'link', publicKey])).code, 2);
  });

  test('fingerprint refuses what is no key of the recipe', async () => {
    const { publicKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const input = other.export({ type: 'spki', format: 'pem' });
    const wrong = await symbolon(['keys', 'fingerprint', '-'], { input });
    assert.deepEqual([wrong.code, wrong.stdout], [1, '']);
    assert.match(wrong.stderr, /type EC; Symbolon's are RSA-2048/);
    assert.match((await symbolon(['keys', 'fingerprint', '-'], { input: 'hello' })).stderr, /no public key/);
  });

  test('open shows the public half, and writes the private one only when asked', async () => {
    const { code, stdout } = await symbolon(['keys', 'open', pem, '--passphrase-file', passphrase]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(sha256));
    assert.doesNotMatch(stdout, /PRIVATE/);
    const decrypted = folder.file('decrypted.pem');
    await symbolon(['keys', 'open', pem, '--passphrase-file', passphrase, '--out', decrypted]);
    assert.equal(statSync(decrypted).mode & 0o777, 0o600);
    assert.equal((await symbolon(['keys', 'fingerprint', decrypted])).stdout, `${sha256}\n`);
  });

  test('open says that the passphrase is wrong or missing', async () => {
    const wrong = await symbolon(['keys', 'open', pem], { env: { SYMBOLON_PASSPHRASE: 'wrong' } });
    assert.deepEqual([wrong.code, wrong.stderr], [1, 'error: The passphrase does not open this key.\n']);
    const missing = await symbolon(['keys', 'open', pem]);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /--passphrase-file FILE or in SYMBOLON_PASSPHRASE/);
  });

  test('pem turns the wrapped JSON into what OpenSSL opens', { skip }, async () => {
    const body = JSON.parse(readFileSync(request, 'utf8'));
    for (const content of [
      body.encrypted_private_key,
      { encrypted_private_key: body.encrypted_private_key },
    ]) {
      const { code, stdout } = await symbolon(['keys', 'pem', '-', '--passphrase-file', passphrase], {
        input: JSON.stringify(content),
      });
      assert.equal(code, 0);
      const file = folder.file(`made-${Object.keys(content).length}.pem`);
      writeFileSync(file, stdout);
      const der = openssl('pkey', '-in', file, '-passin', `file:${passphrase}`, '-pubout', '-outform', 'DER');
      assert.equal(createHash('sha256').update(der).digest('hex'), sha256);
    }
    const { code, stderr } = await symbolon(['keys', 'pem', '-', '--passphrase-file', passphrase], {
      input: '{}',
    });
    assert.equal(code, 1);
    assert.match(stderr, /does not have the required shape/);
  });
});
