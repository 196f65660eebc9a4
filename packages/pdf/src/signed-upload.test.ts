import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { factsOf, SEALED_AT } from '@symbolon/testkit/pdf/facts';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { without } from '@symbolon/testkit/tools';
import { openPdf } from './file/open.ts';
import { Sealer } from './sealer.ts';
import { signedData } from './sign/cms.ts';
import { prepareSignature } from './sign/container.ts';
import { completeSignature } from './sign/prepared.ts';
import { verifyPdf } from './verify/index.ts';
import { createPdfWorker } from './worker.ts';

const desk = new Desk();
const skip = without('pdfsig', 'certutil', 'qpdf', 'pdftotext', 'pdfdetach');
const pki = createPki();
const other = createPki();
const roots = [pki.root.certificate.raw];
const trusted = [pki, other].map(({ root }) => root.certificate.toString());
const sealer = new Sealer({ signer: pki.signer, worker: createPdfWorker() });

/** A file that another party signed before. */
async function signedBefore(pdf = plainPdf({ box: '/MediaBox[0 0 500 700]' })): Promise<Uint8Array> {
  const opened = await openPdf(pdf);
  const prepared = await prepareSignature({
    pdf: opened.pdf,
    base: pdf,
    page: opened.pages.first,
    at: SEALED_AT,
    room: 4096,
    certify: false,
    facts: '{}',
  });
  return completeSignature(
    pdf,
    { ...prepared, rewritten: null },
    await signedData(prepared.digest, other.signer),
  );
}

test('a file with signatures is sealed as it is, and attached to the pages of signatures', {
  skip,
}, async () => {
  const upload = await signedBefore();
  const { bytes, kind } = await sealer.seal(upload, factsOf(upload, { documentName: 'Vertrag: a/b' }));
  assert.equal(kind.signed, true);
  assert.deepEqual(desk.pdfsig(bytes, ...trusted), [{ valid: true, trusted: true, whole: true }]);
  assert.deepEqual(desk.qpdf(bytes), []);
  assert.match(desk.text(bytes, 1), /Signatures[\s\S]*Attached as[\s\S]*Vertrag[\s\S]*Ada Lovelace/);
  assert.match(
    desk.must('pdftotext', '-bbox', desk.file('cover.pdf', bytes), '-'),
    /<page width="500.0+" height="700.0+"/,
  );

  const { verdict, originalIntact, facts } = await verifyPdf(bytes, { roots });
  assert.deepEqual([verdict, originalIntact, facts?.documentName], ['sealed', true, 'Vertrag: a/b']);

  desk.must('pdfdetach', '-save', '1', '-o', join(desk.path, 'attached.pdf'), join(desk.path, 'cover.pdf'));
  const attached = desk.read('attached.pdf');
  assert.ok(attached.subarray(0, upload.length).equals(upload));
  assert.deepEqual(desk.pdfsig(attached, ...trusted), [
    { valid: true, trusted: true, whole: false },
    { valid: true, trusted: true, whole: true },
  ]);
  assert.deepEqual((await verifyPdf(attached, { roots })).verdict, 'sealed');
  assert.ok(readdirSync(desk.path).includes('attached.pdf'));
});

test('a change of the attached file is found', async () => {
  const upload = await signedBefore();
  const { bytes } = await sealer.seal(upload, factsOf(upload));
  const changed = Buffer.from(bytes);
  const at = changed.indexOf(upload.subarray(0, 64)) + 700;
  changed[at]! ^= 1;
  const { verdict } = await verifyPdf(changed, { roots });
  assert.equal(verdict, 'changed');
});

const signature = (reference: string) =>
  `<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>${reference}>>`;
const certified = (level: string) =>
  `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams${level}/V/1.2>>>>]`;
const field = (entries = '') =>
  `<</FT/Sig/T(s)/V 100002 0 R/Type/Annot/Subtype/Widget/Rect[0 0 0 0]${entries}>>`;
const withSignature = (reference: string, entries = '', catalog = '') =>
  plainPdf({
    catalog: `/AcroForm<</Fields[100001 0 R]/SigFlags 3>>${catalog}`,
    more: new Map([
      [100_001, field(entries)],
      [100_002, signature(reference)],
    ]),
  });

test('a certified file is sealed where its author allows signatures, else refused', async () => {
  const worker = createPdfWorker();
  for (const allowed of [certified('/P 2'), certified('/P 3'), certified('')]) {
    assert.equal(
      (await worker.inspect(withSignature(allowed, '', '/Perms<</DocMDP 100002 0 R>>'))).signed,
      true,
    );
  }
  for (const forbidden of [
    withSignature(certified('/P 1'), '', '/Perms<</DocMDP 100002 0 R>>'),
    withSignature(certified('/P 1')),
    withSignature('', '/Lock<</Type/SigFieldLock/Action/All/P 1>>'),
  ]) {
    await assert.rejects(worker.inspect(forbidden), { code: 'certified', fault: 'file' });
  }
});

test('a signed file that is damaged is refused: repairing it would break its signatures', async () => {
  const upload = Buffer.from(await signedBefore());
  const damaged = Buffer.from(
    upload.toString('latin1').replaceAll(/startxref\n\d+/g, 'startxref\n7'),
    'latin1',
  );
  await assert.rejects(createPdfWorker().inspect(damaged), { code: 'damaged_signed', fault: 'file' });
});

test('an empty field for a signature stays empty', { skip }, async () => {
  const upload = plainPdf({
    catalog: '/AcroForm<</Fields[100001 0 R]>>',
    more: new Map([[100_001, '<</FT/Sig/T(client)/Type/Annot/Subtype/Widget/Rect[10 10 90 40]/P 10 0 R>>']]),
    box: '/MediaBox[0 0 500 700]/Annots[100001 0 R]',
  });
  const { bytes, kind } = await sealer.seal(upload, factsOf(upload));
  assert.equal(kind.signed, false);
  const objects = desk.must('qpdf', '--show-object=100001', desk.file('field.pdf', bytes));
  assert.match(objects, /client/);
  assert.doesNotMatch(objects, /\/V /);
});
