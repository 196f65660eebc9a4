import type { DocumentCheck, PersonFile } from '@symbolon/protocol';
import type { PersonFileContent } from '@symbolon/sdk/device';
import { call } from './inner/api.ts';
import { bearer, onFiles } from './inner/file-acts.ts';
import type { NewContent } from './inner/files.worker.ts';
import { keys, type Query } from './queries.ts';
import type { Report } from './uploads.ts';

export type { PersonFileContent } from '@symbolon/sdk/device';
export type { NewContent } from './inner/files.worker.ts';

/** Gives a field its file, for the person and for the services that follow the field. @throws ValueError */
export function saveFile(id: string, content: NewContent, report: Report): Promise<PersonFile | undefined> {
  return onFiles('saveFile', { by: bearer(), id, content }, report);
}

/** The file of a field, opened. */
export const fileQuery = (id: string, report: Report): Query<PersonFileContent> => ({
  key: keys.file(id),
  read: () => onFiles('openFile', { by: bearer(), id }, report),
  isFresh: true,
});

/** The address at which the page shows bytes. */
export const dataUriQuery = (bytes: Uint8Array, mimeType: string): Query<string> => ({
  key: keys.dataUri(bytes, mimeType),
  read: () => onFiles('dataUri', { bytes, mimeType }),
  isFresh: true,
});

/** Uploads the file of a field, sealed to a service. @returns what the answer names */
export function uploadOf(id: string, servicePublicKey: string): Promise<string> {
  return onFiles('uploadOf', { by: bearer(), id, to: servicePublicKey });
}

/** Has the identity document in a field verified by the provider. */
export function verifyDocument(id: string): Promise<DocumentCheck> {
  return onFiles('verifyDocument', { by: bearer(), id });
}

/** What became of it. @param approved it is verified now */
export const documentCheck = (id: string, approved: () => Promise<void>): Query<DocumentCheck | null> => ({
  key: keys.documentCheck(id),
  async read() {
    type Current = { check: DocumentCheck | null };
    const address = `/api/person/fields/${encodeURIComponent(id)}/verification/document`;
    const { check } = await call<Current>('GET', address);
    if (check?.state === 'approved') await approved();
    return check ?? null;
  },
  isFresh: true,
});
