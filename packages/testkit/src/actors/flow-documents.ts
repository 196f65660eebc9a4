import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createCipheriv, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Callable } from '../platform/calls.ts';
import type { TestService } from './actors.ts';
import { type PackageSource, packageOf } from './flow-packages.ts';

/** The one-time key of all bundles of tests. */
const otk = randomBytes(32);

/** A part of a one-time bundle. */
export function part(bytes: Uint8Array | string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', otk, iv);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** What documents are made from. */
export const bundle = (values: object, more: object = {}) => ({
  otk: otk.toString('base64'),
  values: part(JSON.stringify(values)),
  ...more,
});

/** Imports and publishes a flow with its PDFs; gives its id. */
export async function publishPackage(
  platform: Callable,
  { id, company }: TestService,
  source: PackageSource,
): Promise<string> {
  const path = `/api/services/${id}/flows`;
  const { token } = company;
  const headers = { 'content-type': 'application/zip' };
  const imported = await platform.call('POST', `${path}/import`, {
    token,
    body: await packageOf(source),
    headers,
  });
  assert.equal(imported.status, 201, imported.text);
  await platform.must('POST', `${path}/${imported.body.id}/publish`, { token });
  return imported.body.id;
}

/** Why the text of a PDF cannot be read here, or false. */
export const noPdfText = spawnSync('pdftotext', ['-v']).error ? 'pdftotext is not installed' : false;

export function pdfText(pdf: Uint8Array): string {
  const file = join(tmpdir(), `document-${randomBytes(6).toString('hex')}.pdf`);
  writeFileSync(file, pdf);
  return spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout;
}
