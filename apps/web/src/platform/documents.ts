import type { ListedPersonDocument, PersonDocument } from '@symbolon/protocol';
import { type OpenDocument, PersonDocuments, type Signer } from '@symbolon/sdk/device';
import { api } from './api.ts';
import { bearer, onFiles } from './file-acts.ts';
import type { Proof } from './presence.ts';
import type { Report } from './uploads.ts';

export type Listed = ListedPersonDocument;
export type Read = PersonDocument;
export type Opened = OpenDocument;

/** The person's documents, but for what they hold. */
export const documents = new PersonDocuments<Proof>({
  api,
  key() {
    throw new Error('What documents hold is opened beside the page.');
  },
  prove: async (_act, proof) => proof,
});

/** Reads what a document holds, and opens it. */
export function openDocument(id: string, report: Report): Promise<Opened> {
  return onFiles('openDocument', { by: bearer(), id }, report);
}

/** @param proof the page has asked for it already */
export function sign(opened: Opened, signer: Signer, proof: Proof): Promise<Read> {
  return onFiles('signDocument', { by: bearer(), opened, signer, proof });
}

/** @param proof the page has asked for it already */
export function accept(opened: Opened, proof: Proof): Promise<Read> {
  return onFiles('acceptDocument', { by: bearer(), opened, proof });
}

/** Newest first. */
export async function listDocuments(): Promise<Listed[]> {
  return (await documents.list()).reverse();
}
