import assert from 'node:assert/strict';
import { plainPdf, stream } from '@symbolon/testkit/pdf/samples';
import type { Page } from 'playwright-core';
import type { TalkingService } from './companies.ts';
import { registerAt, signedIn } from './people.ts';

/** Registers at the page, where it comes to its documents, and connects to the service. @returns the connection's id */
export async function connected(page: Page, email: string, { client }: TalkingService): Promise<string> {
  await registerAt(page, '/register?next=%2Fme%2Fdocuments', email);
  await page.waitForURL('**/me/documents');
  const { shareCode } = await signedIn(page);
  const request = await client.connectRequests.send(shareCode);
  const { anti_forgery_token: token } = await (await page.request.get('/api/person/session')).json();
  const accepted = await page.request.post(`/api/person/connect-requests/${request.id}/accept`, {
    headers: { 'x-csrf-token': token },
    data: { decisions: [] },
  });
  assert.equal(accepted.status(), 201, await accepted.text());
  return (await accepted.json()).connection_id;
}

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

/** A contract of half a page. */
export function leasePdf(): Buffer {
  const lines = LEASE.map((line, index) => `/F1 ${index === 0 ? 22 : 12} Tf (${line}) Tj 0 -24 Td`);
  const text = stream(Buffer.from(`BT 50 350 Td ${lines.join(' ')} ET`));
  return plainPdf({ box: '/MediaBox[0 0 595 420]', more: new Map([[11, text]]) });
}

/** Waits until something stands on the page of a file. */
export const isDrawn = (page: Page, name: string) =>
  page.waitForFunction((label) => {
    const canvas = document.querySelector<HTMLCanvasElement>(`[aria-label="${label}"] canvas`);
    if (canvas === null || canvas.width === 0) return false;
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    const dark = data?.filter((value, index) => index % 4 === 0 && value < 128 && data[index + 3] === 255);
    return (dark?.length ?? 0) > 50;
  }, name);
