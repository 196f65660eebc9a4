import type { Verification } from '@symbolon/pdf/verify';
import type { PersonDocument } from '@symbolon/protocol';
import { type OpenDocument, PersonDocuments, type Signer, SymbolonError } from '@symbolon/sdk/device';
import { acting, api } from './inner/api.ts';
import { bearer, onFiles, onFilesAlone } from './inner/file-acts.ts';
import type { FileActs } from './inner/files.worker.ts';
import type { Proof } from './presence.ts';
import { keys, numberOf, type Query } from './queries.ts';
import type { SignedIn } from './session.ts';
import type { Report } from './uploads.ts';

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

/** A document, but for what it holds. */
export const documentQuery = (id: string): Query<Read> => ({
  key: keys.document(id),
  read: () => documents.get(id),
});

/** What a document holds, opened: once more when it has changed, or another key is there. */
export const openedQuery = (document: Read, session: SignedIn, report: Report): Query<Opened> => ({
  key: keys.opened(document.id),
  part: `${numberOf(document)} ${numberOf(session)}`,
  read: () => onFiles('openDocument', { by: bearer(), id: document.id }, report),
  isFresh: true,
});

export const sealQuery = (bytes: Uint8Array): Query<Verification> => ({
  key: keys.seal(bytes),
  read: () => onFiles('verifySeal', { bytes }),
});

/** What a PDF holds beside the pages that are shown; `ambiguous` or `damaged` where programs would show other pages. */
export type Warnings = Awaited<ReturnType<FileActs['readWarnings']>>;

/** A phone takes some seconds for a long contract; who takes longer was made to. */
const LOOKED_MOST_MS = 30_000;

export const warningsQuery = (bytes: Uint8Array): Query<Warnings> => ({
  key: keys.warnings(bytes),
  read: () =>
    onFilesAlone('readWarnings', { bytes }, LOOKED_MOST_MS).catch((error: unknown) => {
      if (error instanceof SymbolonError && error.errorKey === 'page.too_long') return 'damaged';
      throw error;
    }),
});

/** @param proof the page has asked for it already */
export function sign(opened: Opened, signer: Signer, proof: Proof): Promise<Read> {
  return acting(onFiles('signDocument', { by: bearer(), opened, signer, proof }));
}

/** @param proof the page has asked for it already */
export function accept(opened: Opened, proof: Proof): Promise<Read> {
  return acting(onFiles('acceptDocument', { by: bearer(), opened, proof }));
}
