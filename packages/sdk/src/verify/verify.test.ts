import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDevelopmentChain, createPdfWorker, Sealer, signerFromPem } from '@symbolon/pdf';
import type { SealCertificateList } from '@symbolon/protocol';
import { factsOf, SEALED_AT } from '@symbolon/testkit/pdf/facts';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { verifyDocument } from './index.ts';

const chain = createDevelopmentChain({ name: 'Acme seal', now: SEALED_AT });
const other = createDevelopmentChain({ name: 'Other', now: SEALED_AT });
const original = plainPdf({ pages: 1 });
const signer = signerFromPem(chain.privateKey, chain.certificate);
const { bytes } = await new Sealer({ signer, worker: createPdfWorker() }).seal(original, factsOf(original));

test('says what was signed, by whom, and that it is unchanged', async () => {
  // As a file may hold them: several, with text around.
  const roots = `# trusted\n${other.root}\n${chain.root}`;
  const found = await verifyDocument(bytes, { roots });
  assert.deepEqual([found.verdict, found.originalIntact], ['sealed', true]);
  assert.equal(found.facts?.acts[0]?.name, 'Ada Lovelace');
  assert.equal((await verifyDocument(bytes)).verdict, 'untrusted');
  assert.equal((await verifyDocument(bytes, { roots: other.root })).verdict, 'untrusted');
  assert.equal((await verifyDocument(bytes, { roots, at: new Date('2020-01-01') })).verdict, 'untrusted');
  const changed = Uint8Array.from(bytes);
  changed[30] = (changed[30] ?? 0) ^ 1;
  assert.equal((await verifyDocument(changed, { roots })).verdict, 'changed');
  assert.equal((await verifyDocument(original, { roots })).verdict, 'not_signed');
});

test('invalid roots are refused: they never make a file trusted or untrusted', async () => {
  const block = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
  for (const roots of ['', 'no certificate', block('AAAA'), block('*'), `${chain.root}${block('AAAA')}`])
    await assert.rejects(verifyDocument(bytes, { roots }), { errorKey: 'sdk.certificate' }, roots);
});

test('of a platform, its own seals are trusted alone; one that has sealed nothing has none', async () => {
  const seal = { name: 'Acme seal', issuer: 'Acme seal', sha256: 'aa', expires_at: '', development: true };
  const roots = [{ sha256: 'bb', pem: chain.root }];
  const verdictOf = async (platform: SealCertificateList) =>
    (await verifyDocument(bytes, { platform })).verdict;
  assert.equal(await verdictOf({ certificates: [seal], roots }), 'sealed');
  assert.equal(await verdictOf({ certificates: [{ ...seal, name: 'Other' }], roots }), 'untrusted');
  assert.equal(await verdictOf({ certificates: [], roots: [] }), 'untrusted');
});
