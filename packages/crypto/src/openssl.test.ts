import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { without } from '@symbolon/testkit/tools';
import { openAccountEnvelope, sealAccountEnvelope } from './account-envelope.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { generateKeyPair, importPrivateKey, type OaepHash } from './keys.ts';
import { decryptPem, encryptPem } from './pem.ts';
import { inspectPem } from './pem-inspect.ts';
import { openText, sealValue } from './seal.ts';

// An outside judge: what OpenSSL's command line writes we open, and the other way round.

const skip = without('openssl');
const pair = await generateKeyPair();
const passphrase = 'päss phrase';
const folder = temporaryFolder({ after });
let privateKeyFile: string;
let publicKeyFile: string;
before(() => {
  privateKeyFile = file('private.der', pair.privateKey);
  publicKeyFile = file('public.der', decodeBase64(pair.publicKey));
});

test('OpenSSL opens an encrypted PEM that this package writes', { skip }, async () => {
  const pem = file('ours.pem', await encryptPem(pair.privateKey, passphrase));
  const der = openssl(['pkey', '-in', pem, '-passin', `pass:${passphrase}`, '-outform', 'DER']);
  const pkcs8 = createPrivateKey({ key: der, format: 'der', type: 'pkcs1' });
  assert.equal(
    pkcs8.equals(createPrivateKey({ key: Buffer.from(pair.privateKey), format: 'der', type: 'pkcs8' })),
    true,
  );
  assert.equal(spawnSync('openssl', ['pkey', '-in', pem, '-passin', 'pass:wrong', '-noout']).status, 1);
});

const written: [string[], ReturnType<typeof inspectPem>][] = [
  [
    ['-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA256', '-iter', '100000'],
    { cipher: 'AES-256-CBC', kdf: 'PBKDF2', prf: 'HMAC-SHA256', iterations: 100_000 },
  ],
  [[], { cipher: 'AES-256-CBC', kdf: 'PBKDF2', prf: 'HMAC-SHA256', iterations: 2048 }],
  [
    ['-v2', 'aes-128-cbc', '-v2prf', 'hmacWithSHA1', '-iter', '1'],
    { cipher: 'AES-128-CBC', kdf: 'PBKDF2', prf: 'HMAC-SHA1', iterations: 1 },
  ],
  [
    ['-v2', 'aes-192-cbc', '-v2prf', 'hmacWithSHA512', '-iter', '5000'],
    { cipher: 'AES-192-CBC', kdf: 'PBKDF2', prf: 'HMAC-SHA512', iterations: 5000 },
  ],
];

for (const [options, inspection] of written) {
  test(`this package opens a PEM that OpenSSL writes with ${options.join(' ') || 'its defaults'}`, {
    skip,
  }, async () => {
    const pem = encryptByOpenssl(options);
    assert.deepEqual(inspectPem(pem), inspection);
    assert.deepEqual(await decryptPem(pem, passphrase), pair.privateKey);
    await assert.rejects(decryptPem(pem, 'wrong'), { code: 'passphrase_wrong' });
  });
}

test('this package opens a key that OpenSSL generates', { skip }, async () => {
  const plain = openssl(['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']);
  const options = ['-topk8', '-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA256', '-iter', '100000'];
  const pem = openssl(['pkcs8', ...options, '-passout', `pass:${passphrase}`], plain).toString();
  await importPrivateKey(await decryptPem(pem, passphrase));
});

for (const options of [['-v2', 'des3'], ['-v1', 'PBE-SHA1-3DES'], ['-scrypt']]) {
  test(`this package refuses a PEM that OpenSSL writes with ${options.join(' ')}`, { skip }, () => {
    assert.throws(() => inspectPem(encryptByOpenssl(options)), { code: 'pem_malformed' });
  });
}

for (const hash of ['SHA-256', 'SHA-1'] as const) {
  test(`OpenSSL and this package unwrap each other's keys with ${hash}`, { skip }, async () => {
    const wrapper = await (hash === 'SHA-256' ? sealValue : sealAccountEnvelope)('a value', pair.publicKey);
    const aesKey = pkeyutl('-decrypt', privateKeyFile, hash, decodeBase64(wrapper.k));
    assert.equal(aesKey.length, 32);
    const k = encodeBase64(pkeyutl('-encrypt', publicKeyFile, hash, aesKey));
    const opened =
      hash === 'SHA-256'
        ? await openText({ ...wrapper, k }, await importPrivateKey(pair.privateKey))
        : Buffer.from(await openAccountEnvelope({ ...wrapper, k }, pair.privateKey)).toString();
    assert.equal(opened, 'a value');
  });
}

test('OpenSSL reads a public key of this package as RSA-2048', { skip }, () => {
  assert.match(
    openssl(['pkey', '-pubin', '-inform', 'DER', '-in', publicKeyFile, '-text', '-noout']).toString(),
    /2048 bit/,
  );
});

function pkeyutl(
  operation: '-encrypt' | '-decrypt',
  keyFile: string,
  hash: OaepHash,
  input: Uint8Array,
): Buffer {
  const digest = hash.replace('-', '').toLowerCase();
  const side = operation === '-encrypt' ? ['-pubin'] : [];
  const padding = ['rsa_padding_mode:oaep', `rsa_oaep_md:${digest}`, `rsa_mgf1_md:${digest}`];
  const options = padding.flatMap((option) => ['-pkeyopt', option]);
  return openssl(['pkeyutl', operation, ...side, '-keyform', 'DER', '-inkey', keyFile, ...options], input);
}

function encryptByOpenssl(options: string[]): string {
  const input = ['-inform', 'DER', '-in', privateKeyFile];
  return openssl(['pkcs8', '-topk8', ...input, ...options, '-passout', `pass:${passphrase}`]).toString();
}

function openssl(args: string[], input?: Uint8Array): Buffer {
  const { status, stdout, stderr } = spawnSync('openssl', args, { input });
  assert.equal(status, 0, stderr.toString());
  return stdout;
}

function file(name: string, content: string | Uint8Array): string {
  const path = folder.file(name);
  writeFileSync(path, content);
  return path;
}
