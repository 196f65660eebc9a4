import {
  CreateDocumentRequest,
  CustomerFile,
  Document,
  DocumentPage,
  DocumentQuery,
  ListedPersonDocument,
  limits,
  PersonDocument,
  PersonDocumentList,
  SealedFile,
  UpdateDocumentRequest,
  UploadDocumentRequest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import {
  actorOf,
  companyOf,
  dataClientOf,
  namedService,
  type OfService,
  personOf,
} from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import { pageOf } from '../../../http/page.ts';
import { sendList, sendPage } from '../../../http/parted-page.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Blobs } from '../../operations/index.ts';
import type { CustomerDocuments } from './customer-documents.ts';
import type { Documents } from './documents.ts';
import { sendEnvelope, sendRaw, sendSealed } from './served-file.ts';
import type { Issuer } from './store.ts';

const tags = ['documents'];

/** Where a company issues documents, for one kind of its callers. */
interface Place {
  readonly shared: Parameters<typeof routesOf>[1];
  readonly all: string;
  readonly one: string;
  /** What is refused here alone. */
  readonly errors: readonly 'services.not_found'[];
  readonly issuer: (request: FastifyRequest) => Issuer;
  readonly idOf: (params: Readonly<Record<string, string>>) => string;
}

/** The backend of the service. */
const BACKEND: Place = {
  shared: { tags, access: ['data_client'], limit: 'reference' },
  all: '/api/company-data/documents',
  one: '/api/company-data/documents/:id',
  errors: [],
  issuer: dataClientOf,
  idOf: ({ id = '' }) => id,
};
/** Staff of the company, in the portal. */
const STAFF: Place = {
  shared: { tags, access: ['portal'] },
  all: '/api/services/:id/documents',
  one: '/api/services/:id/documents/:documentId',
  errors: ['services.not_found'],
  issuer: (request) => ({
    ...namedService(request as OfService),
    actor: actorOf(request),
  }),
  idOf: ({ documentId = '' }) => documentId,
};

interface Needs {
  readonly documents: Documents;
  readonly blobs: Blobs;
}

/** The routes of the company that issues documents: the same for its backend and for its staff. */
export function documentRoutes(app: App, needs: Needs): void {
  for (const place of [BACKEND, STAFF]) placedRoutes(app, needs, place);
}

/** Long because it declares its routes one after the other. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one route after the other
function placedRoutes(
  app: App,
  { documents, blobs }: Needs,
  { shared, all, one, errors, issuer, idOf }: Place,
): void {
  const route = routesOf(app, shared);

  route(
    `POST ${all}`,
    {
      errors: [
        ...errors,
        'company_data.connection_not_found',
        'contact_data.encryption_required',
        'contact_data.value_too_large',
        'contact_data.wrapper_invalid',
        'documents.contract_requires_person',
        'documents.invalid_payload',
        'documents.limit_reached',
        'documents.private_requires_person',
        'documents.too_large',
      ],
      summary: 'Issue a document',
      description:
        'With a target it is for one customer and sealed to its key, without one it is for all of them, in plaintext. A file is uploaded next.',
      body: CreateDocumentRequest,
      created: Document,
    },
    (request) => documents.create(issuer(request), request.body),
  );

  route(
    `POST ${one}/file`,
    {
      errors: [
        ...errors,
        'contact_data.encryption_required',
        'documents.bad_mime',
        'documents.contract_immutable',
        'documents.invalid_payload',
        'documents.limit_reached',
        'documents.not_found',
        'documents.run_managed',
        'documents.too_large',
      ],
      summary: 'Upload the file of a document',
      description:
        'For one customer `value`, else `file` and `original_name`: pdf, doc, docx, xls, xlsx, png, jpg or jpeg. The first upload keeps the plain_sha256 of the create, a later one without it has none.',
      body: UploadDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: Document,
    },
    (request) => documents.upload(issuer(request), idOf(request.params), request.body),
  );

  route(
    `GET ${all}`,
    {
      errors,
      summary: 'List documents, newest first',
      query: DocumentQuery,
      ok: DocumentPage,
    },
    async (request, reply) => {
      const { person_user_id: customerId, status } = request.query;
      const filter = { customerId, status };
      const page = await documents.list(issuer(request), filter, pageOf(request.query));
      return sendPage(reply, Document, page);
    },
  );

  route(
    `GET ${one}`,
    { errors: [...errors, 'documents.not_found'], summary: 'Read a document', ok: Document },
    (request) => documents.get(issuer(request), idOf(request.params)),
  );

  route(
    `GET ${one}/file`,
    {
      errors: [...errors, 'documents.file_not_found', 'documents.not_found', 'photos.unavailable'],
      summary: 'The file of a document',
      description:
        'For one customer a wrapper for its key; for all of them the bytes, under their type unless that contains `json` or `xml`.',
      alwaysJson: true,
      ok: SealedFile,
    },
    async (request, reply) => {
      const stored = await documents.file(issuer(request), idOf(request.params));
      return (
        stored.form === 'raw' ? sendRaw(reply, blobs, stored) : sendSealed(reply, blobs, stored)
      ) as never;
    },
  );

  route(
    `GET ${one}/sealed-file`,
    {
      errors: [...errors, 'documents.not_found', 'documents.not_sealed', 'photos.unavailable'],
      summary: 'The sealed PDF of a document, in a wrapper for the service key',
      ok: SealedFile,
    },
    async (request, reply) => {
      const stored = await documents.sealedFile(issuer(request), idOf(request.params));
      return sendSealed(reply, blobs, stored) as never;
    },
  );

  route(
    `PUT ${one}`,
    {
      errors: [
        ...errors,
        'documents.contract_immutable',
        'documents.invalid_payload',
        'documents.limit_reached',
        'documents.not_found',
        'documents.run_managed',
      ],
      summary: 'Change the status, name, description or metadata of a document',
      body: UpdateDocumentRequest,
      ok: Document,
    },
    (request) => documents.update(issuer(request), idOf(request.params), request.body),
  );

  route(
    `DELETE ${one}`,
    {
      errors: [...errors, 'documents.not_found', 'documents.run_managed'],
      summary: 'Delete a document',
      description: 'It is gone from every list at once. A customer who signed or accepted it keeps a copy.',
    },
    (request) => documents.delete(issuer(request), idOf(request.params)),
  );
}

export function customerDocumentRoutes(
  app: App,
  { documents, blobs }: { documents: CustomerDocuments; blobs: Blobs },
): void {
  const byId = { by: 'id', missing: 'documents.not_found' } as const;
  const person = routesOf(app, { tags, access: ['person'], federated: byId });
  const path = '/api/person/documents';

  person(
    `GET ${path}`,
    {
      summary: 'The documents of services that the person is connected to, oldest first',
      description: 'Also those that were signed or accepted and whose connection has ended.',
      federated: { by: 'list', list: listOf<ListedPersonDocument>('documents', ({ id }) => id) },
      ok: PersonDocumentList,
    },
    async (request, reply) => {
      const parts = await documents.parts(personOf(request));
      return sendList(reply, ListedPersonDocument, { member: 'documents', parts });
    },
  );

  person(
    `GET ${path}/:id`,
    {
      errors: ['documents.not_found'],
      summary: 'One of them, with its value',
      ok: PersonDocument,
    },
    (request) => documents.get(personOf(request), request.params.id),
  );

  person(
    `GET ${path}/:id/file`,
    {
      errors: ['documents.file_not_found', 'documents.not_found', 'photos.unavailable'],
      summary: 'The file of a document',
      description: "A wrapper for the person's key; of one that all customers have, the bytes.",
      alwaysJson: true,
      ok: SealedFile,
    },
    async (request, reply) => {
      const { stored } = await documents.file(personOf(request), request.params.id);
      return (
        stored.form === 'raw' ? sendRaw(reply, blobs, stored) : sendSealed(reply, blobs, stored)
      ) as never;
    },
  );

  person(
    `DELETE ${path}/:id`,
    {
      errors: ['documents.for_all', 'documents.not_found', 'documents.run_managed'],
      summary: "Delete the person's own copy",
      description: 'The company keeps the document.',
    },
    (request) => documents.drop(personOf(request), request.params.id),
  );

  routesOf(app, { tags, access: ['portal', 'account_client'], federated: byId })(
    'GET /api/company-connections/:id/documents/:documentId/file',
    {
      errors: ['documents.file_not_found', 'documents.not_found', 'photos.unavailable'],
      summary: 'The file of a document that a company has as a customer',
      description:
        'A wrapper for its account key. One that all customers have comes as `file`, a data URI, with its name, type and size.',
      ok: CustomerFile,
    },
    async (request, reply) => {
      const { id, documentId } = request.params;
      const { row, stored, name } = await documents.fileIn(companyOf(request), id, documentId);
      return (
        row.party === 'all' ? sendEnvelope(reply, blobs, stored, name) : sendSealed(reply, blobs, stored)
      ) as never;
    },
  );
}
