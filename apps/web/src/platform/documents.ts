import type { ListedPersonDocument, PersonDocument } from '@symbolon/protocol';
import { type OpenDocument, PersonDocuments, SymbolonError } from '@symbolon/sdk/device';
import { fileApi } from './api.ts';
import type { Proof } from './presence.ts';
import type { SignedIn } from './session.ts';

export type Listed = ListedPersonDocument;
export type Read = PersonDocument;
export type Opened = OpenDocument;

/** The person's documents. What is sealed opens only with the keys of the session. */
export function documentsOf({ keys }: Pick<SignedIn, 'keys'>): PersonDocuments<Proof> {
  return new PersonDocuments({
    api: fileApi,
    key() {
      if (keys !== undefined) return keys.key;
      throw new SymbolonError({ errorKey: 'sdk.key_locked', message: 'This browser has no key.' });
    },
    // The page has asked for it already.
    prove: async (_act, proof: Proof) => proof,
  });
}

/** Newest first. */
export async function listDocuments(): Promise<Listed[]> {
  return (await documentsOf({ keys: undefined }).list()).reverse();
}
