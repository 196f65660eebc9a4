import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { createPki } from '@symbolon/testkit/pdf/pki';
import { objectsOf, plainPdf, stream, writeStreams, writeTable } from '@symbolon/testkit/pdf/samples';
import { without } from '@symbolon/testkit/tools';
import { PdfError } from './errors.ts';
import { Sealer } from './sealer.ts';
import { verifyPdf } from './verify/index.ts';
import { createPdfWorker } from './worker.ts';

const desk = new Desk();
const skip = without('pdfsig', 'certutil', 'qpdf', 'openssl', 'pdftotext');
const pki = createPki();
const roots = [pki.root.certificate.raw];
const sealer = new Sealer({ signer: pki.signer, worker: createPdfWorker() });
const seal = (pdf: Uint8Array) => sealer.seal(pdf, factsOf(pdf));

const form = new Map<number, string | Buffer>([
  [100_000, '<</Fields[100001 0 R]/DR<</Font<</Helv 3 0 R>>>>/DA(/Helv 0 Tf)>>'],
  [
    100_001,
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada)/Rect[20 20 200 40]/AP<</N 100002 0 R>>/P 10 0 R>>',
  ],
  [
    100_002,
    stream(
      Buffer.from('BT /Helv 12 Tf (Ada) Tj ET'),
      '/Subtype/Form/BBox[0 0 180 20]/Resources<</Font<</Helv 3 0 R>>>>',
    ),
  ],
]);

/** Files of all sorts, and what is expected of their kind. */
const KINDS: Record<string, { make: () => Buffer; rewritten?: 'damaged' | 'encrypted'; form?: boolean }> = {
  'one page': { make: () => plainPdf() },
  'streams of objects and of cross-references': { make: () => writeStreams(objectsOf({ pages: 20 })) },
  linearised: { make: () => desk.rewritten(plainPdf({ pages: 20 }), '--linearize') },
  'a thousand pages': { make: () => plainPdf({ pages: 1000 }) },
  'a scan of 15 MB': {
    make: () =>
      plainPdf({ more: new Map([[500, stream(randomBytes(15_000_000), '/Subtype/Image', false)]]) }),
  },
  'a form': {
    make: () =>
      plainPdf({
        catalog: '/AcroForm 100000 0 R',
        more: form,
        box: '/MediaBox[0 0 595 842]/Annots[100001 0 R]',
      }),
    form: true,
  },
  'a form inside the catalog': { make: () => plainPdf({ catalog: '/AcroForm<</Fields[]>>' }), form: true },
  'a list of pages behind a reference': {
    make: () => {
      const objects = objectsOf({ pages: 2 });
      objects.set(2, '<</Type/Pages/Kids 5 0 R/Count 2>>');
      objects.set(5, '[10 0 R 12 0 R]');
      return writeTable(objects);
    },
  },
  'encrypted with AES-256, changes allowed': {
    make: () => desk.rewritten(plainPdf(), '--encrypt', '', 'owner', '256', '--'),
    rewritten: 'encrypted',
  },
  'encrypted with RC4, changes allowed': {
    make: () =>
      desk.rewritten(plainPdf(), '--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--use-aes=n', '--'),
    rewritten: 'encrypted',
  },
  'a wrong place of the table': {
    make: () => cut(plainPdf({ pages: 3 }), (text) => text.replace(/startxref\n\d+/, 'startxref\n7')),
    rewritten: 'damaged',
  },
  'bytes before the header': {
    make: () => Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), plainPdf({ pages: 3 })]),
    rewritten: 'damaged',
  },
};

function cut(pdf: Buffer, change: (text: string) => string): Buffer {
  return Buffer.from(change(pdf.toString('latin1')), 'latin1');
}

for (const [name, { make, rewritten = null, form = false }] of Object.entries(KINDS)) {
  test(`${name}: sealed, and every judge agrees`, { skip }, async () => {
    const pdf = make();
    const sealed = await seal(pdf);
    assert.equal(sealed.level, 'B-B');
    assert.equal(sealed.kind.rewritten, rewritten);
    assert.equal(sealed.kind.form, form);
    assert.equal(sealed.kind.signed, false);
    const [signature, ...others] = desk.pdfsig(sealed.bytes, pki.root.certificate.toString());
    assert.deepEqual([signature, others], [{ valid: true, trusted: true, whole: true }, []]);
    assert.deepEqual(desk.qpdf(sealed.bytes), []);
    const verification = await verifyPdf(sealed.bytes, { roots });
    assert.equal(verification.verdict, 'sealed');
    assert.equal(verification.originalIntact, rewritten ? null : true);
    const text = desk.text(sealed.bytes, sealed.kind.pages + 1);
    assert.match(text, /Signatures[\s\S]*Rental contract 12[\s\S]*Ada Lovelace[\s\S]*Charles Babbage/);
    assert.match(desk.text(sealed.bytes, sealed.kind.pages), /Contract, page/);
    if (!rewritten)
      assert.ok(sealed.bytes.subarray(0, pdf.length).every((byte, index) => byte === pdf[index]));
  });
}

test('the signature is CAdES as openssl understands it, without a signing time', { skip }, async () => {
  for (const keyType of ['ec', 'rsa'] as const) {
    const { signer, root } = createPki({}, keyType);
    const pdf = plainPdf();
    const { bytes } = await new Sealer({ signer, worker: createPdfWorker() }).seal(pdf, factsOf(pdf));
    const { content, signature } = partsOf(bytes);
    const cms = desk.file('signature.der', signature);
    const files = [
      '-content',
      desk.file('content', content),
      '-CAfile',
      desk.file('root.pem', root.certificate.toString()),
    ];
    // No purpose of openssl is a seal's; the attribute that binds the certificate is what -cades checks.
    desk.must(
      'openssl',
      'cms',
      '-verify',
      '-cades',
      '-binary',
      '-inform',
      'DER',
      '-in',
      cms,
      ...files,
      '-purpose',
      'any',
      '-out',
      '/dev/null',
    );
    const printed = desk.must('openssl', 'cms', '-cmsout', '-print', '-noout', '-inform', 'DER', '-in', cms);
    assert.match(printed, /signingCertificateV2/);
    assert.doesNotMatch(printed, /signingTime/);
  }
});

function partsOf(sealed: Uint8Array) {
  const file = Buffer.from(sealed);
  const [, from = 0, to = 0, rest = 0] = (
    /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)/.exec(file.toString('latin1')) ?? []
  )
    .slice(1)
    .map(Number);
  const signature = Buffer.from(file.toString('latin1', from + 1, to - 1), 'hex');
  return { content: Buffer.concat([file.subarray(0, from), file.subarray(to, to + rest)]), signature };
}

const REFUSALS: Record<string, { make: () => Uint8Array; code: PdfError['code'] }> = {
  'nothing at all': { make: () => Buffer.alloc(0), code: 'not_pdf' },
  'a web page': { make: () => Buffer.from('<!doctype html><p>Contract'), code: 'not_pdf' },
  'random bytes': { make: () => randomBytes(10_000), code: 'not_pdf' },
  'a header alone': { make: () => Buffer.from('%PDF-1.7\n'), code: 'not_pdf' },
  'no pages': {
    make: () => writeTable(objectsOf().set(2, '<</Type/Pages/Kids[]/Count 0>>')),
    code: 'no_pages',
  },
  'pages that hold themselves': {
    make: () => writeTable(objectsOf().set(2, '<</Type/Pages/Kids[2 0 R]/Count 1>>')),
    code: 'damaged',
  },
  'a catalog without pages': {
    make: () => writeTable(objectsOf().set(1, '<</Type/Catalog>>')),
    code: 'no_pages',
  },
  'encrypted, changes forbidden': {
    make: () => desk.rewritten(plainPdf(), '--encrypt', '', 'owner', '256', '--modify=none', '--'),
    code: 'changes_forbidden',
  },
  'encrypted with a password': {
    make: () => desk.rewritten(plainPdf(), '--encrypt', 'secret', 'owner', '256', '--'),
    code: 'password_needed',
  },
  'an XFA form': { make: () => plainPdf({ catalog: '/AcroForm<</Fields[]/XFA[]>>' }), code: 'xfa' },
  'a bomb in a stream of objects': {
    make: () => writeTable(objectsOf().set(900, stream(Buffer.alloc(80 << 20), '/Type/ObjStm/N 1/First 4'))),
    code: 'expands_too_far',
  },
  'a bomb whose type is written with a code': {
    make: () =>
      writeTable(objectsOf().set(900, stream(Buffer.alloc(80 << 20), '/Type/Obj#53tm/N 1/First 4'))),
    code: 'expands_too_far',
  },
};

for (const [name, { make, code }] of Object.entries(REFUSALS)) {
  test(`${name}: refused, ${code}`, { skip }, async () => {
    await assert.rejects(
      seal(make()),
      (error) => error instanceof PdfError && error.code === code && error.fault === 'file',
    );
  });
}

test('a large picture that expands far is no bomb: nothing inflates it', async () => {
  const pdf = writeTable(objectsOf().set(900, stream(Buffer.alloc(80 << 20), '/Type/XObject/Subtype/Image')));
  assert.equal((await verifyPdf((await seal(pdf)).bytes, { roots })).verdict, 'sealed');
});

test('another file than the one that was signed is not sealed', async () => {
  const pdf = plainPdf();
  await assert.rejects(sealer.seal(plainPdf({ pages: 2 }), factsOf(pdf)), {
    code: 'digest_mismatch',
    fault: 'platform',
  });
});

test('the pages are as large as the document shows its own, and not too small to read', {
  skip,
}, async () => {
  const boxes: [string, number, number][] = [
    ['/MediaBox[0 0 820 460]', 820, 460],
    ['/MediaBox[10 20 510 720]', 500, 700],
    ['/MediaBox[510 720 10 20]', 500, 700],
    ['/MediaBox[10 20 510 720]/Rotate 90', 700, 500],
    ['/MediaBox[10 20 510 720]/Rotate -270', 700, 500],
    ['/MediaBox[0 0 900 900]/CropBox[100 100 800 600]', 700, 500],
    ['/MediaBox[0 0 350 250]/UserUnit 2', 700, 500],
    ['/MediaBox[0 0 72 72]', 419.53, 595.28],
    ['/MediaBox[0 0 420 160]', 595.28, 419.53],
    ['/MediaBox[0 0 160 420]/Rotate 90', 595.28, 419.53],
    ['/MediaBox[0 0 300 900]', 419.53, 900],
  ];
  for (const [box, width, height] of boxes) {
    const { bytes, kind } = await seal(plainPdf({ box }));
    const info = desk.must(
      'pdftotext',
      '-bbox',
      '-f',
      `${kind.pages + 1}`,
      desk.file('sized.pdf', bytes),
      '-',
    );
    const [, w, h] = /<page width="([\d.]+)" height="([\d.]+)"/.exec(info) ?? [];
    assert.deepEqual([Number(w), Number(h)].map(Math.round), [width, height].map(Math.round), box);
  }
  for (const box of ['/MediaBox[0 0 0 0]', '/MediaBox(odd)', '/MediaBox[0 0 9 9]/CropBox[20 20 30 30]'])
    await assert.rejects(seal(plainPdf({ box })), { code: 'ambiguous' }, box);
});

test('inherited boxes count', { skip }, async () => {
  const { bytes } = await seal(plainPdf({ box: '', root: '/MediaBox[0 0 500 700]/Rotate 90' }));
  assert.match(
    desk.must('pdftotext', '-bbox', '-f', '2', desk.file('sized.pdf', bytes), '-'),
    /<page width="700.0+" height="500.0+"/,
  );
});
