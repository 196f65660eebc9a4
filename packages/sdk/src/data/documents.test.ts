import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { buildFileEnvelope, parseFileEnvelope } from '@symbolon/crypto';
import { openTextSync, sealTextSync } from '@symbolon/crypto/node';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { refusal } from '../testing/fake-platform.ts';
import { fakeService, serviceKey } from '../testing/fake-service.ts';

const bytes = plainPdf();
const sha256 = hash('sha256', bytes, 'hex');
const file = { name: 'lease.pdf', mimeType: 'application/pdf', bytes };
const CREATE = 'POST /api/company-data/documents';
const UPLOAD = 'POST /api/company-data/documents/d-1/file';
/** The person has the same key as the service. */
const keys = { ada: serviceKey.publicKey.export({ type: 'spki', format: 'der' }).toString('base64') };
const routes = {
  'POST /api/keys/batch': () => ({ body: { keys } }),
  [CREATE]: () => ({ status: 201, body: { id: 'd-1', value: { _pending: true } } }),
  [UPLOAD]: () => ({ body: { id: 'd-1', value: { _enc_file: 'Lease' } } }),
};

test('a file for one person is sealed here, and its digest goes with it', async () => {
  await using service = await fakeService({}, routes);
  const { documents } = service.client;
  const created = await documents.create({
    name: 'Lease',
    kind: 'agreement',
    to: { userId: 'ada' },
    content: { file },
    requiresSignature: true,
  });
  assert.deepEqual(created.value, { _enc_file: 'Lease' });
  const sent = service.platform.requests.filter(({ path }) => path.startsWith('/api/company-data/documents'));
  assert.deepEqual(sent[0]?.json(), {
    kind: 'agreement',
    name: 'Lease',
    payload_kind: 'file',
    is_private: false,
    requires_signature: true,
    requires_acceptance: false,
    target: { person_user_id: 'ada' },
    plain_sha256: sha256,
  });
  const { value, ...rest } = sent[1]?.json<{ value: string }>() ?? { value: '' };
  assert.deepEqual(rest, { plain_sha256: sha256 });
  const envelope = parseFileEnvelope(openTextSync(value, serviceKey.privateKey));
  assert.ok(envelope.kind === 'file');
  assert.equal(envelope.file.originalName, 'lease.pdf');
  assert.ok(Buffer.from(envelope.file.bytes()).equals(bytes));
});

test('what a contract holds beside its pages is reported, and what could not be sealed is not sent', async () => {
  await using service = await fakeService({}, routes);
  const { documents } = service.client;
  const send = (pdf: Uint8Array, asked: { requiresSignature?: boolean; requiresAcceptance?: boolean }) =>
    documents.create({
      name: 'Lease',
      to: { userId: 'ada' },
      content: { file: { ...file, bytes: pdf } },
      ...asked,
    });
  const scripted = plainPdf({ catalog: '/OpenAction<</S/JavaScript/JS(app.alert(1))>>' });
  assert.deepEqual((await send(scripted, { requiresAcceptance: true })).warnings, ['scripts']);
  assert.deepEqual((await send(bytes, { requiresSignature: true })).warnings, []);
  assert.equal(
    (await send(scripted, {})).warnings,
    undefined,
    'what needs no signature or acceptance is not inspected',
  );
  const text = Buffer.from('Lease');
  assert.equal((await send(text, { requiresAcceptance: true })).warnings, undefined);

  const before = service.platform.requests.length;
  const xfa = plainPdf({ catalog: '/AcroForm<</Fields[]/XFA[]>>' });
  for (const [pdf, asked, reason] of [
    [xfa, { requiresAcceptance: true }, 'xfa'],
    [bytes.subarray(0, 200), { requiresSignature: true }, 'damaged'],
    [text, { requiresSignature: true }, 'not_pdf'],
  ] as const) {
    await assert.rejects(send(pdf, asked), { errorKey: 'documents.pdf_unsupported', details: { reason } });
  }
  assert.equal(service.platform.requests.length, before, 'nothing was sent');
});

test('a document for all customers is not sealed', async () => {
  await using service = await fakeService({}, routes);
  const { documents } = service.client;
  await documents.create({ name: 'Prices', content: { file } });
  await documents.create({ name: 'Terms', content: { json: [1] } });
  const [create, upload, terms] = service.platform.requests
    .filter(({ path }) => path.startsWith('/api/company-data/documents'))
    .map((request) => request.json<Record<string, unknown>>());
  assert.equal(create?.target, null);
  assert.deepEqual(upload, {
    file: `data:application/pdf;base64,${Buffer.from(bytes).toString('base64')}`,
    original_name: 'lease.pdf',
    plain_sha256: sha256,
  });
  assert.deepEqual(terms?.value, [1]);
});

test('a document whose upload is refused is deleted again', async () => {
  let deleted = 0;
  await using service = await fakeService(
    {},
    {
      ...routes,
      [UPLOAD]: () => refusal(400, 'documents.bad_mime'),
      'DELETE /api/company-data/documents/d-1': () => {
        deleted++;
        return { status: 204 };
      },
    },
  );
  await assert.rejects(service.client.documents.create({ name: 'Prices', content: { file } }), {
    errorKey: 'documents.bad_mime',
  });
  assert.equal(deleted, 1);
});

test('the sealed PDF is opened, and compared with the digest that the platform stored', async () => {
  const envelope = buildFileEnvelope({ file: { bytes, mimeType: 'application/pdf' } });
  let sealed_sha256 = sha256;
  await using service = await fakeService(
    {},
    {
      'GET /api/company-data/documents/d-1': () => ({ body: { id: 'd-1', name: 'Lease', sealed_sha256 } }),
      'GET /api/company-data/documents/d-1/sealed-file': () => ({
        body: { encrypted: true, value: sealTextSync(envelope, serviceKey.publicKey) },
      }),
    },
  );
  const { documents } = service.client;
  const sealed = await documents.sealedFile('d-1');
  assert.deepEqual([sealed.name, sealed.mimeType], ['Lease', 'application/pdf']);
  assert.ok(Buffer.from(sealed.bytes).equals(bytes));
  sealed_sha256 = '00'.repeat(32);
  await assert.rejects(documents.sealedFile('d-1'), { errorKey: 'sdk.digest_mismatch' });
});
