import type { ListedPersonDocument, PersonDocumentList } from '@symbolon/protocol';
import { call } from './inner/api.ts';
import { keys, type Query } from './queries.ts';

export type Listed = ListedPersonDocument;

/** Newest first. What opens a document is large, and pages that list them do without it. */
export const documentsQuery: Query<Listed[]> = {
  key: keys.documents,
  read: async () => (await call<PersonDocumentList>('GET', '/api/person/documents')).documents.reverse(),
};
