import assert from 'node:assert/strict';
import { generateKeyPairSync, type X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { factsOf, SEALED_AT } from '@symbolon/testkit/pdf/facts';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { without } from '@symbolon/testkit/tools';
import { octets } from '../asn1/der.ts';
import { childrenOf } from '../asn1/read.ts';
import { Sealer } from '../sealer.ts';
import type { Signer } from '../sign/cms.ts';
import { verifyPdf } from '../verify/index.ts';
import { createPdfWorker } from '../worker.ts';
import { checkSigner } from './check.ts';
import { createDevelopmentChain } from './development.ts';
import { issue } from './issue.ts';
import { signerFromPem, signerFromPkcs12 } from './load.ts';

const desk = new Desk();
const skip = without('openssl');
const DAY = 86_400_000;

const FORMS: Record<string, string[]> = {
  'as openssl writes it': [],
  'as Windows and older programs write it (3DES, SHA-1)': [
    '-certpbe',
    'PBE-SHA1-3DES',
    '-keypbe',
    'PBE-SHA1-3DES',
    '-macalg',
    'sha1',
  ],
};

for (const keyType of ['ec', 'rsa'] as const) {
  for (const [form, options] of Object.entries(FORMS)) {
    test(`a PKCS#12 file with a key of type ${keyType}, ${form}`, { skip }, async () => {
      const { signer, root, authority } = createPki({}, keyType);
      // The others in an order that does not help.
      const loaded = signerFromPkcs12(exported(signer, [root, authority], options), 'pässword');
      assert.equal(loaded.certificate.fingerprint256, signer.certificate.fingerprint256);
      assert.deepEqual(
        loaded.chain.map(({ fingerprint256 }) => fingerprint256),
        [authority.certificate.fingerprint256],
      );
      const pdf = plainPdf();
      const { bytes } = await new Sealer({ signer: loaded, worker: createPdfWorker() }).seal(
        pdf,
        factsOf(pdf),
      );
      assert.equal((await verifyPdf(bytes, { roots: [root.certificate.raw] })).verdict, 'sealed');
      assert.throws(() => signerFromPkcs12(desk.read('seal.p12'), 'wrong'), { code: 'certificate_unusable' });
      const streamed = signerFromPkcs12(asStreamed(desk.read('seal.p12')), 'pässword');
      assert.equal(streamed.certificate.fingerprint256, signer.certificate.fingerprint256);
    });
  }
}

/** A PKCS#12 file that openssl writes. */
function exported(
  signer: Signer,
  others: readonly { certificate: X509Certificate }[],
  options: readonly string[],
) {
  const key = desk.file('key.pem', signer.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const own = desk.file('certificate.pem', signer.certificate.toString());
  const above = desk.file('others.pem', others.map(({ certificate }) => certificate.toString()).join(''));
  const files = ['-inkey', key, '-in', own, '-certfile', above, '-out', `${desk.path}/seal.p12`];
  desk.must('openssl', 'pkcs12', '-export', '-passout', 'pass:pässword', ...files, ...options);
  return desk.read('seal.p12');
}

test('a PKCS#12 file with RC2, as openssl 1 wrote it, is refused with the way to another', { skip }, () => {
  const { signer, root, authority } = createPki();
  const file = exported(signer, [root, authority], ['-legacy']);
  assert.throws(() => signerFromPkcs12(file, 'pässword'), {
    code: 'certificate_unusable',
    message: /encrypted with RC2.*Export it again with AES-256/,
  });
});

/** The same file in BER as some programs write it: without lengths, and its octets in parts. */
function asStreamed(file: Uint8Array): Buffer {
  const open = (tag: number, ...parts: (Uint8Array | undefined)[]) =>
    Buffer.concat([Uint8Array.of(tag, 0x80), ...parts.flatMap((part) => part ?? []), Uint8Array.of(0, 0)]);
  const [version, safe, mac] = childrenOf(file);
  const [type, wrapped] = childrenOf(safe ?? file);
  const [data = file] = childrenOf(wrapped ?? file);
  const content = data.subarray(data[1] === 0x82 ? 4 : 2);
  const parts = [content.subarray(0, 100), content.subarray(100)].map(octets);
  return open(0x30, version, open(0x30, type, open(0xa0, open(0x24, ...parts))), mac);
}

test('what is no PKCS#12 file, or has no key, is refused with the reason', () => {
  assert.throws(() => signerFromPkcs12(Buffer.from('text'), ''), {
    code: 'certificate_unusable',
    message: /cannot be opened/,
  });
  const { signer } = createPki();
  const key = signer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  assert.throws(() => signerFromPem(key, createPki().signer.certificate.toString()), {
    code: 'certificate_unusable',
    message: /belongs/,
  });
  assert.throws(() => signerFromPem('nothing', ''), { code: 'certificate_unusable' });
});

test('the development chain seals, and is distinguished from one that is trusted', async () => {
  const chain = createDevelopmentChain({ name: 'Symbolon (development)', now: SEALED_AT });
  const signer = signerFromPem(chain.privateKey, chain.certificate);
  const state = checkSigner(signer, SEALED_AT);
  assert.equal(state.name, 'Symbolon (development)');
  assert.match(state.issuer, /development root/);
  assert.equal(state.daysLeft, 3650);
});

test('a certificate is tried before it seals', () => {
  const root = createPki().root;
  const made = (changes: Partial<Parameters<typeof issue>[0]>) => ({
    ...issue({
      name: 'Seal',
      purpose: 'seal',
      from: new Date(SEALED_AT - DAY),
      to: new Date(SEALED_AT + 30.5 * DAY),
      issuer: root,
      ...changes,
    }),
    chain: [],
  });
  const refused = (signer: Parameters<typeof checkSigner>[0], message: RegExp) =>
    assert.throws(() => checkSigner(signer, SEALED_AT), { code: 'certificate_unusable', message });
  assert.equal(checkSigner(made({}), SEALED_AT).daysLeft, 30);
  refused(made({ to: new Date(SEALED_AT - 1000) }), /expired/);
  refused(made({ from: new Date(SEALED_AT + DAY) }), /valid from/);
  refused(made({ purpose: 'authority' }), /not for signatures/);
  refused(made({ keys: generateKeyPairSync('rsa', { modulusLength: 1024 }) }), /too short/);
  refused(made({ keys: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }) }), /curve/);
  refused({ ...made({}), privateKey: made({}).privateKey }, /does not belong/);
  const early = issue({
    name: 'Authority',
    purpose: 'authority',
    from: new Date(SEALED_AT - DAY),
    to: new Date(SEALED_AT + 5 * DAY),
  });
  assert.equal(checkSigner({ ...made({}), chain: [early.certificate] }, SEALED_AT).daysLeft, 5);
});
