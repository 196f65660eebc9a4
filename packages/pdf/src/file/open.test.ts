import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { file, RENT } from '@symbolon/testkit/pdf/drawn-apart';
import { factsOf } from '@symbolon/testkit/pdf/facts';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { createPki } from '@symbolon/testkit/pdf/pki';
import {
  objectsOf,
  plainPdf,
  type Shape,
  stream,
  writeStreams,
  writeTable,
} from '@symbolon/testkit/pdf/samples';
import { without } from '@symbolon/testkit/tools';
import { Sealer } from '../sealer.ts';
import { createPdfWorker } from '../worker.ts';
import { readWarnings } from './contents.ts';

const desk = new Desk();
const skip = without('qpdf', 'pdfsig', 'certutil');
const worker = createPdfWorker();
const pki = createPki();
const sealer = new Sealer({ signer: pki.signer, worker });
const seal = async (pdf: Uint8Array) => Buffer.from((await sealer.seal(pdf, factsOf(pdf))).bytes);
const cut = (pdf: Buffer, change: (text: string) => string) =>
  Buffer.from(change(pdf.toString('latin1')), 'latin1');
const startOf = (pdf: Buffer) => Number(/.*startxref\s+(\d+)/s.exec(pdf.toString('latin1'))?.[1]);

/** As Microsoft Word writes it: a table for old readers, and an update whose stream has what these must not see. */
function asByWord(): Buffer {
  const whole = objectsOf({ pages: 2 });
  const old = writeTable(new Map([...whole, [40, '<</Hidden true>>']]));
  const start = startOf(old);
  const rows = Buffer.alloc(6);
  rows.writeUInt8(1);
  rows.writeUInt32BE(old.indexOf('\n40 0 obj') + 1, 1);
  const beside = stream(rows, '/Type/XRef/W[1 4 1]/Index[40 1]/Size 42/Root 1 0 R');
  const head = Buffer.concat([old, Buffer.from('41 0 obj\n'), beside, Buffer.from('\nendobj\n')]);
  const free = old.toString('latin1').replace(/\d{10} 00000 n \n(?=trailer)/, '0000000000 65535 f \n');
  const tail = `xref\n0 0\ntrailer\n<</Size 42/Root 1 0 R/Prev ${start}/XRefStm ${old.length}>>\nstartxref\n${head.length}\n%%EOF\n`;
  return Buffer.concat([Buffer.from(free, 'latin1'), head.subarray(old.length), Buffer.from(tail)]);
}

const under = (parent: number, contents: number) =>
  `<</Type/Page/Parent ${parent} 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${contents} 0 R>>`;

const CLEAN: Record<string, () => Buffer> = {
  'offsets of eight bytes': () => writeStreams(objectsOf({ pages: 3 }), { wide: 8 }),
  'a hybrid file': asByWord,
  'white space before the table': () => {
    const pdf = plainPdf();
    return cut(pdf, (text) => text.replace(`startxref\n${startOf(pdf)}`, `startxref\n${startOf(pdf) - 1}`));
  },
  'an encryption that is null': () =>
    cut(plainPdf(), (text) => text.replace('/Root 1 0 R', '/Root 1 0 R/Encrypt null')),
  'nodes between root and pages': () =>
    writeTable(
      objectsOf({ pages: 3 })
        .set(2, '<</Type/Pages/Kids[5 0 R 14 0 R]/Count 3>>')
        .set(5, '<</Type/Pages/Parent 2 0 R/Kids[10 0 R 12 0 R]/Count 2>>')
        .set(10, under(5, 11))
        .set(12, under(5, 13)),
    ),
};

for (const [name, make] of Object.entries(CLEAN)) {
  test(`${name}: sealed by an update`, { skip }, async () => {
    const pdf = make();
    const sealed = await seal(pdf);
    assert.ok(sealed.subarray(0, pdf.length).equals(pdf), 'the file stays as it was');
    assert.deepEqual(desk.pdfsig(sealed, pki.root.certificate.toString()), [
      { valid: true, trusted: true, whole: true },
    ]);
    const before = desk.qpdf(pdf);
    assert.deepEqual(
      desk.qpdf(sealed).filter((line) => !before.includes(line)),
      [],
    );
  });
}

test('new objects take no number that the file used, listed or not', async () => {
  const pdf = writeStreams(objectsOf(), { listsItself: false });
  const used = new Set(numbersOf(pdf));
  const sealed = await seal(pdf);
  const added = numbersOf(sealed.subarray(pdf.length)).filter((number) => ![1, 2].includes(number));
  assert.ok(added.length > 5);
  assert.deepEqual(
    added.filter((number) => used.has(number)),
    [],
  );
});

test('new objects take no number that something refers to, in whatever way it is written', async () => {
  const more = new Map([[5, '<</A 150 0 R/B 160 % a comment\n 0 R>>']]);
  for (const pdf of [plainPdf({ more }), writeStreams(objectsOf({ more }))]) {
    const sealed = await seal(pdf);
    const added = numbersOf(sealed.subarray(pdf.length)).filter((number) => ![1, 2, 10].includes(number));
    assert.ok(added.length > 5);
    assert.deepEqual(
      added.filter((number) => number <= 160),
      [],
    );
  }
});

function numbersOf(pdf: Buffer): number[] {
  return [...pdf.toString('latin1').matchAll(/(\d+) 0 obj/g)].map(([, number]) => Number(number));
}

const misled = (pdf: Buffer) => cut(pdf, (text) => text.replaceAll(/startxref\n\d+/g, 'startxref\n7'));
const encrypted = (password: string, ...more: string[]) =>
  desk.rewritten(plainPdf(), '--encrypt', password, 'owner', '256', '--', ...more);

test('an encrypted file is never repaired without its encryption', { skip }, async () => {
  const code = (pdf: Buffer) =>
    worker.inspect(pdf).then(
      ({ rewritten }) => `sealed: ${rewritten}`,
      (error: unknown) => Reflect.get(Object(error), 'code'),
    );
  assert.equal(await code(encrypted('')), 'sealed: encrypted');
  assert.equal(await code(misled(encrypted(''))), 'damaged');
  assert.equal(await code(misled(encrypted('secret'))), 'password_needed');
  assert.equal(await code(encrypted('secret', '--object-streams=generate')), 'password_needed');
  assert.equal(await code(encrypted('', '--object-streams=generate')), 'sealed: encrypted');
  const coded = cut(misled(encrypted('')), (text) => text.replace('/Encrypt ', '/#45ncrypt '));
  assert.equal(await code(coded), 'damaged');
  // And so does the page that shows it.
  assert.deepEqual(await readWarnings(encrypted('')), []);
  await assert.rejects(readWarnings(misled(encrypted(''))), { code: 'damaged' });
  await assert.rejects(readWarnings(encrypted('secret')), { code: 'password_needed' });
});

test('an encrypted file is looked at as it was sent', { skip }, async () => {
  const boxes = '/MediaBox[0 0 595 842]/Mediabox[0 0 9 9]';
  const pdf = desk.rewritten(plainPdf({ box: boxes }), '--encrypt', '', 'owner', '256', '--');
  assert.equal((await worker.inspect(pdf)).rewritten, 'encrypted');
  const twice = cut(pdf, (text) => text.replace('/Mediabox', '/MediaBox'));
  await assert.rejects(worker.inspect(twice), { code: 'damaged' });
});

const value = '<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>>>';
const widget = (entries: string) => `<</Type/Annot/Subtype/Widget/Rect[0 0 0 0]${entries}>>`;
const withObjects = (more: [number, string][], shape: Shape = {}) =>
  plainPdf({ ...shape, more: new Map(more) });

test('a signature is seen whose type is inherited, or that stands on a page alone', async () => {
  const inherited = withObjects(
    [
      [100_001, '<</FT/Sig/T(s)/Kids[100002 0 R]>>'],
      [100_002, widget('/Parent 100001 0 R/V 100003 0 R')],
      [100_003, value],
    ],
    { catalog: '/AcroForm<</Fields[100001 0 R]>>' },
  );
  const alone = withObjects(
    [
      [100_001, '<</FT/Sig/T(s)/V 100003 0 R>>'],
      [100_002, widget('/Parent 100001 0 R')],
      [100_003, value],
    ],
    { box: '/MediaBox[0 0 595 842]/Annots[100002 0 R]' },
  );
  const empty = withObjects([[100_002, widget('/FT/Sig/T(s)')]], {
    box: '/MediaBox[0 0 595 842]/Annots[100002 0 R]',
  });
  for (const [pdf, signed] of [
    [inherited, true],
    [alone, true],
    [empty, false],
  ] as const)
    assert.equal((await worker.inspect(pdf)).signed, signed);
});

const annotated = '/MediaBox[0 0 595 842]/Annots[100001 0 R]';
const link = (action: string) => widget(`/FT/Btn/Ff 65536/T(b)/A<<${action}>>`);
const formOf = (content: string) =>
  `<</Type/XObject/Subtype/Form/BBox[0 0 100 40]/Length ${content.length}>>\nstream\n${content}\nendstream`;
const WARNED: [string, string, Buffer][] = [
  ['scripts', 'at opening', plainPdf({ catalog: '/OpenAction<</S/JavaScript/JS(app.alert(1))>>' })],
  ['scripts', 'by name', plainPdf({ catalog: '/Names<</JavaScript<</Names[]>>>>' })],
  [
    'scripts',
    'after a jump',
    plainPdf({ catalog: '/OpenAction<</S/GoTo/D[10 0 R/Fit]/Next[<</S/JavaScript/JS(1)>>]>>' }),
  ],
  ['scripts', 'of a page', plainPdf({ box: '/MediaBox[0 0 595 842]/AA<</O<</S/JavaScript/JS(1)>>>>' })],
  ['launch', 'behind a button', withObjects([[100_001, link('/S/Launch/F(cmd.exe)')]], { box: annotated })],
  [
    'submit',
    'behind a button',
    withObjects([[100_001, link('/S/SubmitForm/F(http://a)')]], { box: annotated }),
  ],
  [
    'launch',
    'in the outline',
    withObjects(
      [
        [100_001, '<</First 100002 0 R>>'],
        [100_002, '<</Title(x)/A<</S/Launch/F(x)>>>>'],
      ],
      { catalog: '/Outlines 100001 0 R' },
    ),
  ],
  [
    'form_fields',
    'to fill in',
    withObjects([[100_001, widget('/FT/Tx/T(a)')]], {
      box: annotated,
      catalog: '/AcroForm<</Fields[100001 0 R]>>',
    }),
  ],
  [
    'launch',
    'in the outline, into another file',
    withObjects(
      [
        [100_001, '<</First 100002 0 R>>'],
        [100_002, '<</Title(x)/A<</S/GoToR/F(x.pdf)/D[0/Fit]>>>>'],
      ],
      { catalog: '/Outlines 100001 0 R' },
    ),
  ],
  ['changes', 'when the page opens', plainPdf({ box: '/MediaBox[0 0 595 842]/AA<</O<</S/Hide/T(a)>>>>' })],
  ['media', 'behind a button', withObjects([[100_001, link('/S/Rendition/OP 0')]], { box: annotated })],
  [
    'screen_only',
    'a stamp',
    withObjects(
      [
        [100_001, '<</Type/Annot/Subtype/Stamp/F 0/Rect[60 200 160 240]/AP<</N 100002 0 R>>>>'],
        [100_002, formOf('0 0 100 40 re f')],
      ],
      { box: annotated },
    ),
  ],
  [
    'print_effects',
    'a transfer function',
    file({
      content: `${RENT} /G gs`,
      resources: '/ExtGState<</G<</TR<</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[0]>>>>>>',
    })(),
  ],
  ['attachments', 'by name', plainPdf({ catalog: '/Names<</EmbeddedFiles<</Names[]>>>>' })],
  [
    'layers',
    'shown and hidden by hand',
    withObjects([[100_001, '<</Type/OCG/Name(a)>>']], {
      catalog: '/OCProperties<</OCGs[100001 0 R]/D<<>>>>',
    }),
  ],
];

test('tells what a party should know of', async () => {
  assert.deepEqual((await worker.inspect(plainPdf())).warnings, []);
  const fixed = withObjects([[100_001, widget('/FT/Tx/T(a)/Ff 1')]], {
    box: annotated,
    catalog: '/AcroForm<</Fields[100001 0 R]>>',
  });
  assert.deepEqual((await worker.inspect(fixed)).warnings, []);
  for (const [warning, where, pdf] of WARNED) {
    assert.deepEqual((await worker.inspect(pdf)).warnings, [warning], `${warning} ${where}`);
    assert.deepEqual(await readWarnings(pdf), [warning], `${warning} ${where}, to who reads it`);
  }
});

test('more actions, outline entries and fields than are looked at are refused', async () => {
  const jumps = (most: number) => {
    const chain = Array.from({ length: most }, (_, at): [number, string] => [
      100_001 + at,
      `<</S/GoTo/D[10 0 R/Fit]/Next ${100_002 + at} 0 R>>`,
    ]);
    return withObjects([...chain, [100_001 + most, '<</S/JavaScript/JS(1)>>']], {
      catalog: '/OpenAction 100001 0 R',
    });
  };
  assert.deepEqual((await worker.inspect(jumps(40))).warnings, ['scripts']);
  await assert.rejects(worker.inspect(jumps(1000)), { code: 'damaged' });
  await assert.rejects(readWarnings(jumps(1000)), { code: 'damaged' });
});

test('layers with a use that agrees with what is shown are no obstacle', async () => {
  const watermark = withObjects(
    [[100_001, '<</Type/OCG/Name(w)/Usage<</View<</ViewState/ON>>/Print<</PrintState/ON>>>>>>']],
    {
      catalog:
        '/OCProperties<</OCGs[100001 0 R]/D<</AS[<</Event/Print/OCGs[100001 0 R]/Category[/Print]>>]>>>>',
    },
  );
  assert.deepEqual((await worker.inspect(watermark)).warnings, ['layers']);
});

test('the seal of a file without signatures forbids every change', { skip }, async () => {
  const sealed = await seal(plainPdf());
  const file = desk.file('certified.pdf', sealed);
  const [, number] = /\/Perms.*?\/DocMDP (\d+)/s.exec(sealed.toString('latin1')) ?? [];
  const signature = desk.must('qpdf', `--show-object=${number}`, file);
  assert.match(signature, /\/TransformMethod \/DocMDP \/TransformParams << \/P 1 /);
  await assert.rejects(worker.inspect(sealed), { code: 'certified' });
});

test('content that expands too far is refused, however it is packed', async () => {
  const huge = Buffer.alloc(80 << 20, 'q Q ');
  const twice = stream(deflateSync(deflateSync(huge)), '/Filter[/FlateDecode/FlateDecode]', false);
  for (const contents of [stream(huge), twice])
    await assert.rejects(worker.inspect(writeTable(objectsOf().set(11, contents))), {
      code: 'expands_too_far',
    });
});

const EXPANDING = {
  'one stream of objects': () =>
    writeTable(objectsOf().set(900, stream(Buffer.alloc(80 << 20), '/Type/ObjStm/N 1/First 4'))),
  'many of them, each within its bound': () =>
    writeTable(
      [900, 901, 902].reduce(
        (objects, number) => objects.set(number, stream(Buffer.alloc(60 << 20), '/Type/ObjStm/N 1/First 4')),
        objectsOf(),
      ),
    ),
  'streams that begin in one another, and are damaged at their end': () => {
    const next = Buffer.from('/Type/ObjStm stream\n\x78\x01', 'latin1');
    const block = Buffer.from([0, next.length, 0, 0xff ^ next.length, 0xff]);
    return Buffer.concat([plainPdf(), next, ...Array.from({ length: 100_000 }, () => [block, next]).flat()]);
  },
  'many small streams': () =>
    Buffer.concat([plainPdf(), Buffer.from('#stream\n\x78\x01\xff\n'.repeat(200_000), 'latin1')]),
};

for (const [name, make] of Object.entries(EXPANDING))
  test(`a structure that expands too far is refused, to who reads it too: ${name}`, async () => {
    const pdf = make();
    await assert.rejects(readWarnings(pdf), { code: 'expands_too_far' });
    await assert.rejects(worker.inspect(pdf), { code: 'expands_too_far' });
  });
