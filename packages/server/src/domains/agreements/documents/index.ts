import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { CustomerDocuments } from './customer-documents.ts';
import { Documents } from './documents.ts';
import { customerDocumentRoutes, documentRoutes } from './routes.ts';
import { documentTables } from './tables.ts';

export { CustomerDocuments, connectionDocuments } from './customer-documents.ts';
export { type CustomersDocument, customersDocument } from './customer-store.ts';
export {
  documentsCreated,
  documentsDeleted,
  lastSigner,
  type RaisedTogether,
  raiseStatusChanges,
  type Signer,
  type StatusChange,
  statusChanges,
} from './document-events.ts';
export { decoded } from './plain-file.ts';
export { checkFilesRoom, checkRoom } from './room.ts';
export {
  type DocumentKey,
  deleteDocument,
  fileOf,
  insertAct,
  insertDocument,
  isActedOn,
  type ListedDocument,
  listed,
  partsOf,
  putFile,
  type ServiceRef,
  updateDocument,
} from './store.ts';
export type { DocumentActRow, DocumentFileRow, DocumentRow } from './tables.ts';
export { agreedTerms } from './terms.ts';
export { type DocumentParts, partsFor, viewSignature } from './views.ts';

/** Documents and contracts that services issue to their customers. */
export function createDocuments(
  core: Core,
  needs: NeedsOf<typeof Documents> & NeedsOf<typeof CustomerDocuments>,
): { customerDocuments: CustomerDocuments; domain: Domain } {
  const documents = new Documents({ ...core, ...needs });
  const ofCustomers = new CustomerDocuments({ ...core, ...needs });
  const { blobs } = needs;
  const domain: Domain = {
    tables: documentTables,
    routes(app) {
      documentRoutes(app, { documents, blobs });
      customerDocumentRoutes(app, { documents: ofCustomers, blobs });
    },
  };
  return { customerDocuments: ofCustomers, domain };
}
