import { type Objects, plainPdf, stream, writeTable } from '../pdf/samples.ts';

export const fileOf = (name: string, mimeType: string, bytes: Uint8Array) => ({
  file: { name, mimeType, bytes },
});

const LEASE = [
  'Lease of a bicycle',
  '',
  'Acme Bikes leases a city bicycle to the customer.',
  '',
  '1.  The lease begins with the signature and runs for one year.',
  '2.  The rent is 20 euros a month, paid in advance.',
  '3.  Acme Bikes keeps the bicycle in good order.',
  '4.  The customer locks it when leaving it, and reports damage within a day.',
  '5.  The customer may cancel at any time to the end of the year.',
];

/** A contract of half a page. @param catalog what its catalog has besides */
export function leasePdf(catalog = ''): Buffer {
  const lines = LEASE.map((line, index) => `/F1 ${index === 0 ? 22 : 12} Tf (${line}) Tj 0 -24 Td`);
  const text = stream(Buffer.from(`BT 50 350 Td ${lines.join(' ')} ET`));
  return plainPdf({ box: '/MediaBox[0 0 595 420]', catalog, more: new Map([[11, text]]) });
}

/** A contract of many pages, each of which names its number. @param signedOn the pages with a place to sign */
export function longPdf(pages: number, signedOn: readonly number[]): Buffer {
  const objects: Objects = new Map();
  const FONT = 3;
  const idOf = (number: number) => 10 * number;
  const kids = Array.from({ length: pages }, (_, index) => `${idOf(index + 1)} 0 R`);
  const fields = signedOn.map((number) => `${idOf(number) + 2} 0 R`);
  objects.set(1, `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields.join(' ')}]>>>>`);
  objects.set(2, `<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`);
  objects.set(FONT, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  for (let number = 1; number <= pages; number++) {
    const id = idOf(number);
    const place = signedOn.includes(number) ? `/Annots[${id + 2} 0 R]` : '';
    objects.set(
      id,
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 ${FONT} 0 R>>>>/Contents ${id + 1} 0 R${place}>>`,
    );
    objects.set(id + 1, stream(Buffer.from(`BT /F1 22 Tf 60 760 Td (This is page ${number}) Tj ET`)));
    if (place !== '')
      objects.set(
        id + 2,
        `<</Type/Annot/Subtype/Widget/FT/Sig/T(Place ${number})/F 4/P ${id} 0 R/Rect[60 100 300 160]>>`,
      );
  }
  return writeTable(objects);
}
