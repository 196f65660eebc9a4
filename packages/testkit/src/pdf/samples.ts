import { deflateSync } from 'node:zlib';

/** The objects of a PDF by number, as they stand between `obj` and `endobj`. */
export type Objects = Map<number, string | Buffer>;

/** A PDF 1.7 of these objects with a cross-reference table; object 1 is the catalog. @param comment stands before all objects */
export function writeTable(objects: Objects, trailer = '', comment = ''): Buffer {
  const { parts, offsets, length } = writeBodies(objects, comment);
  const size = Math.max(...objects.keys()) + 1;
  const rows = ['0000000000 65535 f \n'];
  for (let number = 1; number < size; number++) {
    const offset = offsets.get(number);
    rows.push(
      offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`,
    );
  }
  const xref = `xref\n0 ${size}\n${rows.join('')}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(xref)]);
}

export interface Rows {
  /** Bytes of an offset. */
  readonly wide?: 4 | 8;
  /** Whether the stream of cross-references has a row for itself; some writers leave it out. */
  readonly listsItself?: boolean;
  /** How the stream of objects is packed; by Flate unless said. */
  readonly pack?: (data: Buffer) => { entries: string; data: Buffer };
}

/** The same with its dictionaries in a stream of objects, and a stream of cross-references. */
export function writeStreams(objects: Objects, { wide = 4, listsItself = true, pack }: Rows = {}): Buffer {
  const packed = [...objects].filter(([, body]) => typeof body === 'string') as [number, string][];
  const plain = new Map([...objects].filter(([, body]) => typeof body !== 'string'));
  const holder = Math.max(...objects.keys()) + 1;
  const heads: string[] = [];
  let content = '';
  for (const [number, body] of packed) {
    heads.push(`${number} ${content.length}`);
    content += `${body}\n`;
  }
  const head = `${heads.join(' ')} `;
  const plainly = (data: Buffer) => ({ entries: '/Filter/FlateDecode', data: deflateSync(data) });
  const inside = (pack ?? plainly)(Buffer.from(head + content, 'latin1'));
  plain.set(
    holder,
    stream(inside.data, `/Type/ObjStm/N ${packed.length}/First ${head.length}${inside.entries}`, false),
  );
  const { parts, offsets, length } = writeBodies(plain);
  const width = wide + 2;
  const count = holder + (listsItself ? 2 : 1);
  const rows = Buffer.alloc(count * width);
  const row = (number: number, type: number, value: number, index: number) => {
    rows.writeUInt8(type, number * width);
    rows.writeUIntBE(value, number * width + 1 + wide - 4, 4);
    rows.writeUInt8(index, (number + 1) * width - 1);
  };
  packed.forEach(([number], index) => {
    row(number, 2, holder, index);
  });
  for (const [number, offset] of offsets) row(number, 1, offset, 0);
  if (listsItself) row(holder + 1, 1, length, 0);
  const body = stream(rows, `/Type/XRef/W[1 ${wide} 1]/Index[0 ${count}]/Size ${holder + 2}/Root 1 0 R`);
  return Buffer.concat([
    ...parts,
    Buffer.from(`${holder + 1} 0 obj\n`),
    body,
    Buffer.from(`\nendobj\nstartxref\n${length}\n%%EOF\n`),
  ]);
}

function writeBodies(objects: Objects, comment = '') {
  const parts: Buffer[] = [Buffer.from(`%PDF-1.7\n%\xe2\xe3\xcf\xd3\n${comment}`, 'latin1')];
  const offsets = new Map<number, number>();
  let length = parts[0]?.length ?? 0;
  for (const [number, body] of objects) {
    offsets.set(number, length);
    const content = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), content, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  return { parts, offsets, length };
}

export function stream(data: Buffer, entries = '', compress = true): Buffer {
  const body = compress ? deflateSync(data) : data;
  const filter = compress ? '/Filter/FlateDecode' : '';
  return Buffer.concat([
    Buffer.from(`<<${entries}${filter}/Length ${body.length}>>\nstream\n`, 'latin1'),
    body,
    Buffer.from('\nendstream'),
  ]);
}

export interface Shape {
  readonly pages?: number;
  /** What stands in each page's dictionary for its size. */
  readonly box?: string;
  /** More entries of the catalog, and more objects, numbered from 100000. */
  readonly catalog?: string;
  readonly more?: Objects;
  /** Entries of the root of the page tree. */
  readonly root?: string;
}

/** A letter, each page with a line of text. */
export function objectsOf(shape: Shape = {}): Objects {
  const pages = shape.pages ?? 1;
  const box = shape.box ?? '/MediaBox[0 0 595 842]';
  const kids = Array.from({ length: pages }, (_, index) => `${10 + index * 2} 0 R`).join(' ');
  const objects: Objects = new Map();
  objects.set(1, `<</Type/Catalog/Pages 2 0 R${shape.catalog ?? ''}>>`);
  objects.set(2, `<</Type/Pages/Kids[${kids}]/Count ${pages}${shape.root ?? ''}>>`);
  objects.set(3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  for (let page = 0; page < pages; page++) {
    const number = 10 + page * 2;
    const text = `BT /F1 18 Tf 20 100 Td (Contract, page ${page + 1} of ${pages}) Tj ET`;
    objects.set(
      number,
      `<</Type/Page/Parent 2 0 R${box}/Resources<</Font<</F1 3 0 R>>>>/Contents ${number + 1} 0 R>>`,
    );
    objects.set(number + 1, stream(Buffer.from(text)));
  }
  for (const [number, body] of shape.more ?? []) objects.set(number, body);
  return objects;
}

export function plainPdf(shape: Shape = {}): Buffer {
  return writeTable(objectsOf(shape));
}
