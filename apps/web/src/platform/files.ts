import type { DocumentCheck, PersonFile } from '@symbolon/protocol';
import type { PersonFileContent } from '@symbolon/sdk/device';
import { call } from './api.ts';
import { bearer, onFiles } from './file-acts.ts';
import type { NewContent } from './files.worker.ts';
import type { Report } from './uploads.ts';

export type { PersonFileContent } from '@symbolon/sdk/device';
export type { NewContent } from './files.worker.ts';

/** Gives a field its file, for the person and for the services that follow the field. @throws ValueError */
export function saveFile(id: string, content: NewContent, report: Report): Promise<PersonFile | undefined> {
  return onFiles('saveFile', { by: bearer(), id, content }, report);
}

/** Reads and opens the file of a field. */
export function openFile(id: string, report: Report): Promise<PersonFileContent> {
  return onFiles('openFile', { by: bearer(), id }, report);
}

/** Uploads the file of a field, sealed to a service. @returns what the answer names */
export function uploadOf(id: string, servicePublicKey: string): Promise<string> {
  return onFiles('uploadOf', { by: bearer(), id, to: servicePublicKey });
}

/** Has the identity document in a field verified by the provider. */
export function verifyDocument(id: string): Promise<DocumentCheck> {
  return onFiles('verifyDocument', { by: bearer(), id });
}

/** What became of it. */
export async function documentCheck(id: string): Promise<DocumentCheck | null> {
  type Current = { check: DocumentCheck | null };
  const address = `/api/person/fields/${encodeURIComponent(id)}/verification/document`;
  return (await call<Current>('GET', address)).check;
}
