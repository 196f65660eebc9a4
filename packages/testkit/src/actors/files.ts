import { plainPdf, stream } from '../pdf/samples.ts';

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
