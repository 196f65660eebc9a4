import { type Objects, objectsOf, plainPdf, stream, writeStreams, writeTable } from './samples.ts';

/*
 * Files whose author wants one reader, or one moment, to see something else than another. Pages say ONE, TWO, NINE HUNDRED
 * and so on, so that judges can compare what is read before and after sealing.
 */

const FONTS = '/Resources<</Font<</F1 3 0 R>>>>';
const page = (contents: number, entries = '') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${FONTS}/Contents ${contents} 0 R${entries}>>`;
const text = (words: string) => stream(Buffer.from(`BT /F1 18 Tf 20 100 Td (${words}) Tj ET`));

/** Pages ONE (10), TWO (12) and THREE (14), in a tree with these entries. */
function tree(entries: string, more: [number, string | Buffer][] = [], catalog = ''): Objects {
  return new Map<number, string | Buffer>([
    [1, `<</Type/Catalog/Pages 2 0 R${catalog}>>`],
    [2, `<</Type/Pages${entries}>>`],
    [3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
    ...[
      ['ONE', 10],
      ['TWO', 12],
      ['THREE', 14],
    ].flatMap(([words, number]): [number, string | Buffer][] => [
      [Number(number), page(Number(number) + 1)],
      [Number(number) + 1, text(String(words))],
    ]),
    ...more,
  ]);
}

const contract = (words: string, catalog = '') => tree('/Kids[10 0 R]/Count 1', [[11, text(words)]], catalog);

interface Update {
  /** Lines of the table by object, other than where the new objects are. */
  readonly lines?: ReadonlyMap<number, string>;
  readonly trailer?: string;
  readonly prev?: number | null;
  readonly size?: number;
}

/** An update of a file, with a table that may lie. */
function update(
  file: Buffer,
  objects: Objects,
  { lines, trailer = '', prev, size = 200 }: Update = {},
): Buffer {
  const parts = [file];
  let length = file.length;
  const rows = new Map<number, string>();
  for (const [number, body] of objects) {
    rows.set(number, row(length));
    const part = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(body as string, 'latin1'),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  for (const [number, line] of lines ?? []) rows.set(number, line);
  const table = [...rows].map(([number, line]) => `${number} 1\n${line}`).join('');
  const back = prev === null ? '' : `/Prev ${prev ?? startOf(file)}`;
  const tail = `xref\n${table || '0 0\n'}trailer\n<</Size ${size}/Root 1 0 R${back}${trailer}>>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(tail, 'latin1')]);
}

const row = (offset: number, kind = 'n') => `${String(offset).padStart(10, '0')} 00000 ${kind} \n`;
const startOf = (file: Buffer) => Number(/.*startxref\s+(\d+)/s.exec(file.toString('latin1'))?.[1]);
const offsetOf = (file: Buffer, mark: string, last = false) =>
  last ? file.lastIndexOf(`\n${mark}`) + 1 : file.indexOf(`\n${mark}`) + 1;

/** A stream of cross-references with these rows, as an object. */
function rowsObject(
  number: number,
  rows: readonly (readonly [number, number, number, number])[],
  entries = '',
): Buffer {
  const data = Buffer.alloc(rows.length * 6);
  rows.forEach(([, kind, second, third], index) => {
    data.writeUInt8(kind, index * 6);
    data.writeUInt32BE(second, index * 6 + 1);
    data.writeUInt8(third, index * 6 + 5);
  });
  const index = rows.map(([first]) => `${first} 1`).join(' ');
  const body = stream(data, `/Type/XRef/W[1 4 1]/Index[${index}]/Size 200/Root 1 0 R${entries}`);
  return Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
}

/** Says RENT 1200 by its table, RENT 900 by the stream beside it. */
function hybrid(hidden: (file: Buffer) => readonly (readonly [number, number, number, number])[]): Buffer {
  const old = writeTable(contract('RENT 900'));
  const changed = update(old, new Map([[11, text('RENT 1200')]]));
  const beside = rowsObject(150, hidden(changed));
  const start = startOf(changed);
  const head = changed.subarray(0, start);
  const tail = changed.toString('latin1', start).replace('/Prev', `/XRefStm ${start}/Prev`);
  return Buffer.concat([
    head,
    beside,
    Buffer.from(tail.replace(/startxref\n\d+/, `startxref\n${head.length + beside.length}`), 'latin1'),
  ]);
}

/** One table that frees some objects, with a stream that has or frees some and may go on with a table of its own. */
function oneSection(
  freed: readonly number[],
  held: readonly number[],
  freedByStream: readonly number[] = [],
  before: readonly number[] = [],
  generation = 0,
): Buffer {
  const file = writeTable(contract('ONE'));
  const start = startOf(file);
  const at = (number: number) => offsetOf(file, `${number} 0 obj`);
  const older = before.map((number) => `${number} 1\n${row(at(number))}`).join('');
  const prev = before.length === 0 ? '' : `xref\n${older}trailer\n<</Size 200/Root 1 0 R>>\n`;
  const rows = [
    ...held.map((number) => [number, 1, at(number), generation] as const),
    ...freedByStream.map((number) => [number, 0, 0, 0] as const),
  ];
  const beside = rowsObject(150, rows, prev && `/Prev ${start}`);
  const lines = freed.reduce(
    (all, number) => all.replace(row(at(number)), row(0, 'f')),
    file.toString('latin1', start),
  );
  const table = lines
    .replace(/\/Size \d+/, `/Size 200/XRefStm ${start + prev.length}`)
    .replace(/startxref\n\d+/, `startxref\n${start + prev.length + beside.length}`);
  return Buffer.concat([file.subarray(0, start), Buffer.from(prev), beside, Buffer.from(table, 'latin1')]);
}

function cut(pdf: Buffer, change: (text: string) => string): Buffer {
  return Buffer.from(change(pdf.toString('latin1')), 'latin1');
}

/** An update, and behind it a way back to what was there before, which not every reader takes. */
function lastStart(before: string, after = '', end = '\n%%EOF\n'): Buffer {
  const old = writeTable(contract('ONE'));
  const changed = update(old, new Map([[11, text('TWO')]]));
  return Buffer.concat([changed, Buffer.from(`${before}${startOf(old)}${after}${end}`)]);
}

/** A second catalog with pages of its own. */
const otherDocument: [number, string | Buffer][] = [
  [21, '<</Type/Catalog/Pages 22 0 R>>'],
  [22, '<</Type/Pages/Kids[30 0 R]/Count 1>>'],
  [30, page(31).replace('2 0 R', '22 0 R')],
  [31, text('OTHER')],
];

const layers = (config: string, usage: [string, string]) =>
  plainOf(`/OCProperties<</OCGs[41 0 R 42 0 R]/D<<${config}>>>>`, [
    [41, `<</Type/OCG/Name(a)${usage[0]}>>`],
    [42, `<</Type/OCG/Name(b)${usage[1]}>>`],
    [
      11,
      stream(
        Buffer.from('BT /F1 18 Tf 20 100 Td /OC /A BDC (RENT 90) Tj EMC /OC /B BDC (RENT 9000) Tj EMC ET'),
      ),
    ],
    [10, page(11).replace(FONTS, '/Resources<</Font<</F1 3 0 R>>/Properties<</A 41 0 R/B 42 0 R>>>>')],
  ]);

function plainOf(catalog: string, more: [number, string | Buffer][]): Buffer {
  return writeTable(tree('/Kids[10 0 R]/Count 1', more, catalog));
}

/** By name. Made when asked for. */
export const HOSTILE: Readonly<Record<string, () => Buffer>> = {
  'a page that is not counted': () => writeTable(tree('/Kids[10 0 R 12 0 R]/Count 1')),
  'a page that stands twice in the tree': () => writeTable(tree('/Kids[10 0 R 12 0 R 10 0 R]/Count 3')),
  'a page that is no object of its own': () => writeTable(tree(`/Kids[10 0 R ${page(13)}]/Count 2`)),
  'a page that stands three times before another': () =>
    writeTable(tree('/Kids[10 0 R 10 0 R 10 0 R 12 0 R]/Count 4')),
  'a count below that is too small': () =>
    writeTable(
      tree('/Kids[5 0 R 14 0 R]/Count 2', [[5, '<</Type/Pages/Parent 2 0 R/Kids[10 0 R 12 0 R]/Count 1>>']]),
    ),
  'counts below that even out': () =>
    writeTable(
      tree('/Kids[5 0 R 6 0 R]/Count 3', [
        [5, '<</Type/Pages/Parent 2 0 R/Kids[10 0 R]/Count 2>>'],
        [6, '<</Type/Pages/Parent 2 0 R/Kids[12 0 R 14 0 R]/Count 1>>'],
      ]),
    ),
  'a negative count': () => writeTable(tree('/Kids[10 0 R 12 0 R]/Count -2')),
  'a count that is too large': () => writeTable(tree('/Kids[10 0 R]/Count 2147483647')),
  'a kid that is no page': () => writeTable(tree('/Kids[10 0 R 3 0 R]/Count 2')),
  'a kid that is missing': () => writeTable(tree('/Kids[10 0 R 99 0 R]/Count 2')),
  'a kid that is null, not counted': () => writeTable(tree('/Kids[10 0 R null 12 0 R]/Count 2')),
  'a page with kids': () =>
    writeTable(tree('/Kids[10 0 R 5 0 R]/Count 2', [[5, page(13, '/Kids[14 0 R]/Count 1')]])),
  'a node without kids': () =>
    writeTable(tree('/Kids[10 0 R 5 0 R]/Count 2', [[5, page(13).replace('/Type/Page/', '/Type/Pages/')]])),
  'the root among its kids': () => writeTable(tree('/Kids[10 0 R 2 0 R]/Count 2')),
  'two lists of kids': () => writeTable(tree('/Kids[10 0 R]/Count 1/Kids[12 0 R]')),
  'two lists of kids, one written with a code': () =>
    writeTable(tree('/Kids[10 0 R]/Count 1/K#69ds[12 0 R]')),
  'two roots of pages in one catalog': () =>
    writeTable(tree('/Kids[10 0 R]/Count 1', otherDocument, '/Pages 22 0 R')),
  'two catalogs in one trailer': () =>
    cut(writeTable(tree('/Kids[10 0 R]/Count 1', otherDocument)), (all) =>
      all.replace('/Root 1 0 R', '/Root 21 0 R/Root 1 0 R'),
    ),
  'a catalog with a tail': () =>
    writeTable(
      new Map([
        ...tree('/Kids[10 0 R]/Count 1', otherDocument),
        [1, '<</Type/Catalog/Pages 2 0 R>> <</Type/Catalog/Pages 22 0 R>>'],
      ]),
    ),
  'a hybrid file whose stream has the older page': () =>
    hybrid((file) => [[11, 1, offsetOf(file, '11 0 obj'), 0]]),
  'a hybrid file whose stream has another root of pages': () => {
    const old = writeTable(tree('/Kids[10 0 R]/Count 1', [[12, page(13)]]));
    const beside = old.length;
    const node = Buffer.from('2 0 obj\n<</Type/Pages/Kids[12 0 R]/Count 1>>\nendobj\n');
    const rows = rowsObject(150, [[2, 1, beside, 0]]);
    const changed = Buffer.concat([old, node, rows]);
    const known = new Map([[2, row(offsetOf(old, '2 0 obj'))]]);
    return update(changed, new Map(), {
      lines: known,
      prev: startOf(old),
      trailer: `/XRefStm ${beside + node.length}`,
    });
  },
  'a hybrid file whose table frees what the stream has': () => {
    const old = writeTable(tree('/Kids[10 0 R]/Count 1'));
    const rows = rowsObject(150, [[11, 1, offsetOf(old, '13 0 obj'), 0]]);
    return update(Buffer.concat([old, rows]), new Map(), {
      lines: new Map([[11, row(0, 'f')]]),
      prev: startOf(old),
      trailer: `/XRefStm ${old.length}`,
    });
  },
  'a hybrid file whose table frees at once what its stream has': () => oneSection([11], [11]),
  'a hybrid file whose table and stream tell two generations': () => oneSection([], [11], [], [], 1),
  'a hybrid file whose stream frees what its table has': () => oneSection([], [], [11]),
  'a hybrid file whose stream goes on with a section of its own': () => oneSection([11], [13], [], [11]),
  'a hybrid file that disagrees about nothing that is shown, not hostile': () => oneSection([15], [15]),
  'a hybrid file as writers make it, not hostile': () => {
    const old = writeTable(contract('ONE'));
    const freed = cut(old, (all) => all.replace(row(offsetOf(old, '11 0 obj')), row(0, 'f')));
    return update(
      Buffer.concat([freed, rowsObject(150, [[11, 1, offsetOf(old, '11 0 obj'), 0]])]),
      new Map(),
      {
        prev: startOf(old),
        trailer: `/XRefStm ${old.length}`,
      },
    );
  },
  'an entry that leads to another object': () => {
    const old = writeTable(tree('/Kids[10 0 R]/Count 1'));
    return update(old, new Map(), { lines: new Map([[11, row(offsetOf(old, '13 0 obj'))]]) });
  },
  'an entry that leads nowhere, and a second object of the number': () => {
    const old = writeTable(tree('/Kids[10 0 R]/Count 1'));
    const copy = Buffer.concat([old, Buffer.from('11 0 obj\n'), text('LATER'), Buffer.from('\nendobj\n')]);
    return update(copy, new Map(), {
      prev: startOf(old),
      lines: new Map([[11, row(offsetOf(old, '13 0 obj') + 3)]]),
    });
  },
  'an object above the size': () => {
    const old = writeTable(tree('/Kids[10 0 R 120 0 R]/Count 2'));
    return update(old, new Map([[120, page(13)]]), { size: 100 });
  },
  'no table, and two objects of each number': () => {
    const [first, second] = [writeTable(contract('FIRST')), writeTable(contract('SECOND'))];
    return cut(Buffer.concat([first, second]), (all) => all.replaceAll(/startxref\n\d+/g, 'startxref\n7'));
  },
  'no table, and two catalogs': () =>
    cut(writeTable(tree('/Kids[10 0 R]/Count 1', otherDocument)), (all) =>
      all
        .replace(/startxref\n\d+/, 'startxref\n7')
        .replace('%%EOF', 'trailer\n<</Root 21 0 R/Size 40>>\n%%EOF'),
    ),
  'two documents one behind the other': () =>
    Buffer.concat([writeTable(contract('FIRST')), writeTable(contract('SECOND'))]),
  'a section that leads back to itself': () => {
    const old = writeTable(contract('ONE'));
    const changed = update(old, new Map([[11, text('TWO')]]));
    return cut(changed, (all) => all.replace(/\/Prev \d+/, `/Prev ${startOf(changed)}`));
  },
  'an older section that cannot be read': () => {
    const changed = update(writeTable(contract('ONE')), new Map([[11, text('TWO')]]));
    return cut(changed, (all) => all.replace(/\/Prev \d+/, '/Prev 25'));
  },
  'two startxref at the end': () => {
    const changed = update(writeTable(contract('ONE')), new Map([[11, text('TWO')]]));
    const first = startOf(writeTable(contract('ONE')));
    return Buffer.concat([changed, Buffer.from(`startxref\n${first}\n`)]);
  },
  'a last startxref that is part of a word': () => lastStart('xstartxref\n'),
  'a last startxref with a sign': () => lastStart('startxref\n+'),
  'a last startxref in a text': () => lastStart('(startxref\n', ')'),
  'a last startxref without an end': () => lastStart('startxref ', '', ''),
  'a page behind HTML': () =>
    Buffer.concat([Buffer.from('<html><p>CONTRACT</p>\n'.repeat(4)), writeTable(contract('ONE'))]),
  'inherited boxes that hide what is added': () =>
    writeTable(
      tree('/Kids[10 0 R]/Count 1/CropBox[0 0 20 20]/Rotate 90/UserUnit 9', [
        [10, page(11, '/CropBox[0 0 595 842]/Rotate 0')],
      ]),
    ),
  'objects in streams, not hostile': () => writeStreams(contract('ONE')),
  'a stream of objects whose head names an object twice': () => {
    const head = '1 0 2 30 2 80 ';
    const body =
      '<</Type/Catalog/Pages 2 0 R>>'.padEnd(30) +
      '<</Type/Pages/Kids[10 0 R]/Count 1>>'.padEnd(50) +
      '<</Type/Pages/Kids[12 0 R]/Count 1>>';
    const objects = tree('/Kids[10 0 R]/Count 1');
    for (const number of [1, 2]) objects.delete(number);
    objects.set(40, stream(Buffer.from(head + body), `/Type/ObjStm/N 3/First ${head.length}`));
    const old = writeTable(objects);
    const rows = [3, 10, 11, 12, 13, 40].map(
      (number) => [number, 1, offsetOf(old, `${number} 0 obj`), 0] as const,
    );
    const start = old.length;
    const all = rowsObject(150, [[1, 2, 40, 0], [2, 2, 40, 1], ...rows, [150, 1, start, 0]]);
    return Buffer.concat([old, all, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
  },
  'layers that differ between screen and print': () =>
    layers(
      '/ON[41 0 R 42 0 R]/AS[<</Event/View/OCGs[41 0 R 42 0 R]/Category[/View]>><</Event/Print/OCGs[41 0 R 42 0 R]/Category[/Print]>>]',
      [
        '/Usage<</View<</ViewState/ON>>/Print<</PrintState/OFF>>>>',
        '/Usage<</View<</ViewState/OFF>>/Print<</PrintState/ON>>>>',
      ],
    ),
  'a layer that is printed alone': () =>
    layers('/ON[41 0 R]/OFF[42 0 R]', ['', '/Usage<</Print<</PrintState/ON>>>>']),
  'a layer by magnification': () =>
    layers('/ON[41 0 R 42 0 R]/AS[<</Event/View/OCGs[42 0 R]/Category[/Zoom]>>]', [
      '',
      '/Usage<</Zoom<</min 2>>>>',
    ]),
  'an XFA form': () => plainPdf({ catalog: '/AcroForm<</Fields[]/XFA[]>>' }),
  'an XFA form beside a table that hides it': () => {
    const old = writeTable(contract('ONE', '/AcroForm<</Fields[]/XFA[]>>'));
    return update(
      old,
      new Map([
        [1, '<</Type/Catalog/Pages 2 0 R/AcroForm 60 0 R>>'],
        [60, '<</Fields[]/X#46A[]>>'],
      ]),
    );
  },
  'an encrypted update of a plain file': () =>
    cut(update(writeTable(contract('ONE')), new Map([[11, text('TWO')]])), (all) =>
      all.replace('/Root 1 0 R>>', '/Root 1 0 R/Encrypt<</Filter/Standard/V 1/R 2/O(x)/U(x)/P -1>>>>'),
    ),
  'a thousand pages of one object': () => writeTable(tree(`/Kids[${'10 0 R '.repeat(1000)}]/Count 1000`)),
  'plain objects, not hostile': () => writeTable(objectsOf()),
};
