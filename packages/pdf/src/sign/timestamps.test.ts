import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { CRL, crlOf, OCSP, opensslOcsp, opensslTimestamps, TSA } from '@symbolon/testkit/pdf/authorities';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { listening } from '@symbolon/testkit/servers/listening';
import { without } from '@symbolon/testkit/tools';
import { PdfError } from '../errors.ts';
import { validationSource } from '../revocation/validation-source.ts';
import { Sealer, type SealerOptions } from '../sealer.ts';
import { verifyPdf } from '../verify/index.ts';
import { createPdfWorker } from '../worker.ts';
import { type Ask, askByHttp } from './fetch.ts';
import { timestampAuthority } from './timestamp-authority.ts';

const desk = new Desk();
const skip = without('openssl', 'pdfsig', 'certutil', 'qpdf');
const DAY = 86_400_000;
const now = Date.now();
const pki = createPki({ crl: CRL });
const roots = [pki.root.certificate.raw];
const pdf = plainPdf({ pages: 2 });
const facts = factsOf(pdf);
const worker = createPdfWorker();
const stampsOf = (ask: Ask) => timestampAuthority({ url: TSA, ask, roots });
const sealerWith = (options: Partial<SealerOptions>) =>
  new Sealer({ signer: pki.signer, worker, ...options });

const lists: Ask = async (url) => {
  if (url === `${CRL}/root`) return crlOf(pki.root, now - DAY, now + DAY);
  if (url === `${CRL}/authority`) return crlOf(pki.authority, now - DAY, now + DAY, ['0badc0de']);
  throw new Error(`There is no ${url}`);
};

test('B-T: the token of an authority proves the time', { skip }, async () => {
  const sealer = sealerWith({
    timestamps: { authority: stampsOf(opensslTimestamps(desk, pki)), need: 'required' },
  });
  assert.equal(await sealer.probe(), 'B-T');
  const { bytes, level } = await sealer.seal(pdf, facts);
  assert.equal(level, 'B-T');
  assert.deepEqual(desk.pdfsig(bytes, pki.root.certificate.toString()), [
    { valid: true, trusted: true, whole: true },
  ]);
  const { verdict, signatures } = await verifyPdf(bytes, { roots });
  const timestamp = signatures[0]?.timestamp;
  assert.deepEqual(
    [verdict, timestamp?.authority.name, timestamp?.trusted],
    ['sealed', 'Test timestamps', true],
  );
  assert.ok(Math.abs((timestamp?.time.getTime() ?? 0) - Date.now()) < DAY);
  // After its end the certificate is judged at the time that is proven.
  const later = new Date(now + 20 * 365 * DAY);
  assert.equal((await verifyPdf(bytes, { roots, at: later })).verdict, 'sealed');
});

test('B-LT: what later validation needs lies in the same update', { skip }, async () => {
  const authority = stampsOf(opensslTimestamps(desk, pki));
  let asked = 0;
  const ask: Ask = (url, question) => {
    asked++;
    return lists(url, question);
  };
  const validation = validationSource({ signer: pki.signer, roots, ask, now: () => now });
  const sealer = sealerWith({ timestamps: { authority, need: 'required' }, validation });
  assert.equal(await sealer.probe(), 'B-LT');
  const { bytes, level } = await sealer.seal(pdf, facts);
  assert.equal(level, 'B-LT');
  assert.equal(asked, 3); // one for each certificate below the roots; they are kept
  assert.deepEqual(desk.pdfsig(bytes, pki.root.certificate.toString()), [
    { valid: true, trusted: true, whole: true },
  ]);
  assert.deepEqual(desk.qpdf(bytes), []);
  const store = desk.must('qpdf', '--json', '--json-key=qpdf', desk.file('store.pdf', bytes));
  assert.match(store, /"\/DSS"/);
  assert.match(store, /"\/CRLs"/);
});

test('OCSP answers count as well', { skip }, async () => {
  const withOcsp = createPki({ crl: CRL, ocsp: OCSP });
  const ask: Ask = async (url, question) => {
    if (url === OCSP) return opensslOcsp(desk, withOcsp)(url, question);
    if (url === `${CRL}/root`) return crlOf(withOcsp.root, now - DAY, now + DAY);
    throw new Error(`There is no ${url}`);
  };
  const source = validationSource({
    signer: withOcsp.signer,
    roots: [withOcsp.root.certificate.raw],
    ask,
    now: () => now,
  });
  const authority = timestampAuthority({ url: TSA, ask: opensslTimestamps(desk, withOcsp) });
  const data = await source(await authority.stamp(Buffer.from('x')));
  assert.deepEqual([data?.ocsps.length, data?.crls.length, data?.certificates.length], [2, 1, 4]);
});

test('a certificate that its authority revoked does not seal', { skip }, async () => {
  const { serialNumber } = pki.signer.certificate;
  const token = await stampsOf(opensslTimestamps(desk, pki)).stamp(Buffer.from('x'));
  const ask: Ask = async (url) =>
    url.endsWith('authority') ? crlOf(pki.authority, now - DAY, now + DAY, [serialNumber]) : lists(url);
  const source = validationSource({ signer: pki.signer, roots, ask, now: () => now });
  await assert.rejects(source(token), { code: 'certificate_unusable', message: /Symbolon seal is revoked/ });
  const withOcsp = createPki({ ocsp: OCSP, crl: CRL });
  const source2 = validationSource({
    signer: withOcsp.signer,
    roots: [withOcsp.root.certificate.raw, withOcsp.authority.certificate.raw],
    ask: opensslOcsp(desk, withOcsp, [withOcsp.signer.certificate.serialNumber]),
    now: () => now,
  });
  await assert.rejects(source2(token), { code: 'certificate_unusable', message: /revoked/ });
});

const BAD_LISTS: Record<string, Ask> = {
  'does not answer': async () => assert.fail('closed'),
  'answers with something else': async () => Buffer.from('<html>'),
  'answers with a list of the past': async () => crlOf(pki.authority, now - 2 * DAY, now - DAY),
  'answers with the list of another authority': async () =>
    crlOf(createPki().authority, now - DAY, now + DAY),
};
for (const [what, ask] of Object.entries(BAD_LISTS)) {
  test(`an authority that ${what} costs a level`, { skip }, async () => {
    const validation = validationSource({ signer: pki.signer, roots, ask, now: () => now });
    const authority = stampsOf(opensslTimestamps(desk, pki));
    const { level } = await sealerWith({ timestamps: { authority, need: 'required' }, validation }).seal(
      pdf,
      facts,
    );
    assert.equal(level, 'B-T');
  });
}

const good = () => opensslTimestamps(desk, pki);
const BAD_STAMPS: Record<string, () => Ask> = {
  'does not answer': () => async () => assert.fail('closed'),
  'answers with a web page': () => async () => Buffer.from('<html>Maintenance'),
  'answers with nothing': () => async () => Buffer.alloc(0),
  // PKIStatusInfo with status 2
  refuses: () => async () => Buffer.from('30053003020102', 'hex'),
  'answers to another question': () => {
    let first: Promise<Uint8Array> | undefined;
    return (url, question) => (first ??= good()(url, { body: Buffer.from(question!.body), type: '' }));
  },
  'damages its signature': () => async (url, question) => {
    const answer = Buffer.from(await good()(url, question));
    answer[answer.length - 5]! ^= 1;
    return answer;
  },
  'has a certificate under no root': () => opensslTimestamps(desk, createPki()),
};
for (const [what, make] of Object.entries(BAD_STAMPS)) {
  test(`a timestamp authority that ${what} costs the act, or a level`, { skip }, async () => {
    const ask = make();
    if (what === 'answers to another question') await stampsOf(ask).stamp(Buffer.from('another'));
    const required = sealerWith({ timestamps: { authority: stampsOf(ask), need: 'required' } });
    await assert.rejects(
      required.seal(pdf, facts),
      (error) => error instanceof PdfError && error.code === 'timestamp_failed' && error.fault === 'platform',
    );
    const preferred = await sealerWith({ timestamps: { authority: stampsOf(ask), need: 'preferred' } }).seal(
      pdf,
      facts,
    );
    assert.equal(preferred.level, 'B-B');
    assert.equal((await verifyPdf(preferred.bytes, { roots })).verdict, 'sealed');
  });
}

test('an outage costs its wait once, not with each seal', async () => {
  let asked = 0;
  const ask: Ask = async () => {
    asked++;
    throw new Error('closed');
  };
  const validation = validationSource({ signer: pki.signer, roots, ask, now: () => now });
  const sealer = sealerWith({ timestamps: { authority: stampsOf(ask), need: 'preferred' }, validation });
  for (let round = 0; round < 3; round++) assert.equal((await sealer.seal(pdf, facts)).level, 'B-B');
  assert.equal(asked, 1);
});

test('a signature that outgrows its room is made again with more', { skip }, async () => {
  const sealer = sealerWith({});
  await sealer.probe(); // learns the room of a signature without a token
  const chain = Array.from({ length: 9 }, () => createPki({}, 'rsa').signer.certificate);
  const grown = { ...pki.signer, chain: [...pki.signer.chain] };
  const growing = new Sealer({ signer: grown, worker });
  await growing.probe();
  grown.chain.push(...chain);
  const { bytes } = await growing.seal(pdf, facts);
  assert.equal((await verifyPdf(bytes, { roots })).verdict, 'sealed');
});

test('asks over HTTP: status, size and time are bounded', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/slow') return;
    if (request.url === '/large') response.end(Buffer.alloc(9 << 20));
    else if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
    else if (request.url === '/broken') response.writeHead(500).end();
    else request.pipe(response.writeHead(200, { 'x-type': `${request.headers['content-type']}` }));
  });
  const { url } = await listening(server);
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const answer = await askByHttp()(`${url}/`, { body: Buffer.from('question'), type: 'application/test' });
  assert.equal(Buffer.from(answer).toString(), 'question');
  for (const path of ['/large', '/moved', '/broken']) await assert.rejects(askByHttp()(url + path));
  await assert.rejects(askByHttp(50)(`${url}/slow`));
});
