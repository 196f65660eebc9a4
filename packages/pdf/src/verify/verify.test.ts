import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { before, test } from 'node:test';
import { factsOf, SEALED_AT } from '@symbolon/testkit/pdf/facts';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { plainPdf, stream } from '@symbolon/testkit/pdf/samples';
import { load } from '../file/load.ts';
import { openPdf } from '../file/open.ts';
import { readPageTree } from '../file/page-tree.ts';
import { Sealer } from '../sealer.ts';
import { signedData } from '../sign/cms.ts';
import { prepareSignature } from '../sign/container.ts';
import { completeSignature } from '../sign/prepared.ts';
import { createPdfWorker } from '../worker.ts';
import { verifyPdf } from './index.ts';

const pki = createPki();
const roots = [pki.root.certificate.raw];
const pdf = plainPdf({ pages: 2 });
const facts = factsOf(pdf);
let sealed: Buffer;
before(async () => {
  const { bytes } = await new Sealer({ signer: pki.signer, worker: createPdfWorker() }).seal(pdf, facts);
  sealed = Buffer.from(bytes);
});

const verdictOf = async (file: Uint8Array) => (await verifyPdf(file, { roots })).verdict;

test('tells what was signed, by whom and when', async () => {
  const { verdict, signatures, facts: stated, originalIntact } = await verifyPdf(sealed, { roots });
  assert.equal(verdict, 'sealed');
  assert.deepEqual(stated, facts);
  assert.equal(originalIntact, true);
  const [signature, ...others] = signatures;
  assert.deepEqual(others, []);
  const { signer, ...rest } = signature!;
  assert.deepEqual(rest, {
    coversWholeFile: true,
    unchanged: true,
    trusted: true,
    claimedAt: new Date(SEALED_AT - (SEALED_AT % 1000)),
    timestamp: null,
  });
  assert.equal(signer?.name, 'Symbolon seal');
  assert.equal(signer?.issuer, 'Test authority');
  assert.equal(signer?.sha256, pki.signer.certificate.fingerprint256.replaceAll(':', '').toLowerCase());
});

test('a change of any byte is found', async () => {
  const [from, to] = gapOf(sealed);
  const places = [0, 20, pdf.length - 1, pdf.length + 10, from - 1, to, to + 40, sealed.length - 1];
  for (const at of [...places, ...Array.from({ length: 40 }, (_, index) => (index * 7919) % from)]) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    assert.notEqual(await verdictOf(changed), 'sealed', `byte ${at}`);
  }
});

test('nothing can hide in the room of the signature', async () => {
  const [from, to] = gapOf(sealed);
  for (const [at, text] of [
    [to - 20, 'ff'],
    [to - 20, '/X'],
    [from + 1, '31'],
    [to - 20, '> '],
  ] as const) {
    const changed = Buffer.from(sealed);
    changed.write(text, at, 'latin1');
    assert.equal(await verdictOf(changed), 'changed', `${text} at ${at}`);
  }
});

test('what is added, before or after, is found', async () => {
  assert.equal(await verdictOf(Buffer.concat([sealed, Buffer.from('\n')])), 'extended');
  assert.equal(await verdictOf(Buffer.concat([Buffer.from('\n'), sealed])), 'changed');
  const { facts: stated } = await verifyPdf(Buffer.concat([sealed, Buffer.from('\n')]), { roots });
  assert.equal(stated, null);
});

test('a file cut short is found', async () => {
  for (const length of [10, pdf.length, sealed.length - 1])
    assert.notEqual(await verdictOf(sealed.subarray(0, length)), 'sealed');
  assert.equal(await verdictOf(pdf), 'not_signed');
  assert.equal(await verdictOf(Buffer.alloc(0)), 'not_signed');
});

test('only a certificate under the roots makes a seal, at a time when it is valid', async () => {
  const others = [createPki().root.certificate.raw];
  const stranger = await verifyPdf(sealed, { roots: others });
  assert.deepEqual([stranger.verdict, stranger.facts, stranger.originalIntact], ['untrusted', null, null]);
  assert.equal((await verifyPdf(sealed, { roots: [pki.signer.certificate.raw] })).verdict, 'sealed');
  assert.equal(
    (await verifyPdf(sealed, { roots, at: new Date(SEALED_AT + 20 * 365 * 86_400_000) })).verdict,
    'untrusted',
  );
  const unasked = await verifyPdf(sealed);
  assert.deepEqual([unasked.verdict, unasked.signatures[0]?.trusted], ['untrusted', null]);
  assert.deepEqual(unasked.facts, facts);
});

test('a certificate that is not for signing documents makes no seal', async () => {
  const { issue } = await import('../certificates/issue.ts');
  const times = { from: new Date(SEALED_AT - 1000), to: new Date(SEALED_AT + 1e12), issuer: pki.authority };
  const verdictUnder = async (wish: Partial<Parameters<typeof issue>[0]>) => {
    const signer = {
      ...issue({ name: 'Stranger', purpose: 'seal', ...times, ...wish }),
      chain: [pki.authority.certificate],
    };
    return verdictOf((await new Sealer({ signer, worker: createPdfWorker() }).seal(pdf, facts)).bytes);
  };
  const server = '1.3.6.1.5.5.7.3.1';
  const documents = ['1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4', '1.2.840.113583.1.1.5', '2.5.29.37.0'];
  assert.equal(await verdictUnder({ purposes: [server] }), 'untrusted', 'of a server');
  assert.equal(await verdictUnder({ purpose: 'timestamps' }), 'untrusted', 'of a timestamp authority');
  assert.equal(await verdictUnder({ usage: 0x20 }), 'untrusted', 'for keys alone');
  assert.equal(await verdictUnder({ purpose: 'authority' }), 'untrusted', 'of an authority');
  for (const purpose of documents)
    assert.equal(await verdictUnder({ purposes: [server, purpose] }), 'sealed');
  assert.equal(await verdictUnder({ usage: 0x40 }), 'sealed', 'for what cannot be denied');
});

test('seals can be asked to be of certain certificates', async () => {
  const sha256 = pki.signer.certificate.fingerprint256;
  const trusted = async (...signers: string[]) => (await verifyPdf(sealed, { roots, signers })).verdict;
  assert.equal(await trusted(sha256), 'sealed');
  assert.equal(await trusted('Another', sha256.replaceAll(':', '').toLowerCase()), 'sealed');
  assert.equal(await trusted('Symbolon seal'), 'sealed');
  assert.equal(await trusted('Symbolon'), 'untrusted');
  assert.equal(await trusted(), 'untrusted');
});

test('a leaf is no authority: what it issues leads nowhere', async () => {
  const { issue } = await import('../certificates/issue.ts');
  const { certificate, privateKey } = pki.signer;
  const times = { from: new Date(SEALED_AT - 1000), to: new Date(SEALED_AT + 1e12) };
  const forged = issue({
    name: 'Symbolon seal',
    purpose: 'seal',
    ...times,
    issuer: { certificate, privateKey },
  });
  const signer = { ...forged, chain: [certificate, ...pki.signer.chain] };
  const { bytes } = await new Sealer({ signer, worker: createPdfWorker() }).seal(pdf, facts);
  assert.equal(await verdictOf(bytes), 'untrusted');
});

test('a stranger’s signature after the seal does not pass as the seal', async () => {
  const stranger = createPki().signer;
  // The seal forbids it, a stranger does it all the same.
  const { pdf: opened } = await load(sealed);
  const claimed = JSON.stringify({ version: 1, ...factsOf(pdf, { documentName: 'Forged' }), original: null });
  const prepared = await prepareSignature({
    pdf: opened,
    base: sealed,
    page: readPageTree(opened).first,
    at: SEALED_AT,
    room: 4096,
    certify: false,
    facts: claimed,
  });
  const bytes = completeSignature(
    sealed,
    { ...prepared, rewritten: null },
    await signedData(prepared.digest, stranger),
  );
  const { verdict, signatures, facts: stated } = await verifyPdf(bytes, { roots });
  assert.deepEqual([verdict, stated], ['untrusted', null]);
  assert.deepEqual(
    signatures.map(({ trusted, unchanged }) => [trusted, unchanged]),
    [
      [true, true],
      [false, true],
    ],
  );
});

test('a seal over another original than its facts name says so', async () => {
  const opened = await openPdf(pdf);
  const claimed = JSON.stringify({
    version: 1,
    ...factsOf(plainPdf({ pages: 3 })),
    original: { from: 0, length: pdf.length },
  });
  const prepared = await prepareSignature({
    pdf: opened.pdf,
    base: pdf,
    page: opened.pages.first,
    at: SEALED_AT,
    room: 4096,
    certify: false,
    facts: claimed,
  });
  const bytes = completeSignature(
    pdf,
    { ...prepared, rewritten: null },
    await signedData(prepared.digest, pki.signer),
  );
  const { verdict, originalIntact } = await verifyPdf(bytes, { roots });
  assert.deepEqual([verdict, originalIntact], ['sealed', false]);
});

test('certificates that lead in circles, and marks of signatures without end, cost little', async () => {
  const { issue } = await import('../certificates/issue.ts');
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const times = { from: new Date(SEALED_AT - 1000), to: new Date(SEALED_AT + 1e12) };
  const circle = Array.from({ length: 30 }, () =>
    issue({ name: 'Circle', purpose: 'authority', ...times, keys }),
  );
  const leaf = issue({ name: 'Leaf', purpose: 'seal', ...times, issuer: circle[0]! });
  const signer = { ...leaf, chain: circle.map(({ certificate }) => certificate) };
  const marks = `/ByteRange[0 9 9999 9]`.repeat(20_000);
  const upload = plainPdf({ more: new Map([[900, stream(Buffer.from(marks), '', false)]]) });
  const { bytes } = await new Sealer({ signer, worker: createPdfWorker() }).seal(upload, factsOf(upload));
  const at = new Date(SEALED_AT);
  assert.equal((await verifyPdf(bytes, { roots, at })).verdict, 'untrusted');
  const trusting = await verifyPdf(bytes, { roots: [circle[0]!.certificate.raw], at });
  assert.equal(trusting.verdict, 'sealed');
});

test('mutations never verify, and never throw', async () => {
  let state = 20_261_122;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  const [from, to] = gapOf(sealed);
  for (let round = 0; round < 300; round++) {
    const changed = Buffer.from(sealed);
    for (let edit = 0; edit <= random(4); edit++) {
      // Half of them in the signature itself: there the parsers of ASN.1 are.
      const at = random(2) === 0 ? from + 1 + random(3000) : random(changed.length);
      changed[at] = random(2) === 0 ? random(256) : '0123456789abcdef'.charCodeAt(random(16));
    }
    if (changed.equals(sealed)) continue;
    const { verdict } = await verifyPdf(changed, { roots });
    // Certificates that travel along without being needed are under no signature.
    if (verdict === 'sealed') assert.ok(outsideIsSame(changed, from, to), `round ${round}`);
  }
});

function outsideIsSame(changed: Buffer, from: number, to: number): boolean {
  return (
    changed.subarray(0, from).equals(sealed.subarray(0, from)) &&
    changed.subarray(to).equals(sealed.subarray(to))
  );
}

/** Where the hex digits of the last signature begin and end, with their brackets. */
function gapOf(file: Buffer): [number, number] {
  const [, from = 0, to = 0] = (/\/ByteRange \[(\d+) (\d+) (\d+)/.exec(file.toString('latin1')) ?? [])
    .slice(1)
    .map(Number);
  return [from, to];
}
