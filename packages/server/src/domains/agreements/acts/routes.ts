import {
  AcceptDocumentRequest,
  type AuditAction,
  CustomerDocument,
  FlowRunDocument,
  limits,
  PersonDocument,
  SignDocumentRequest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { actorOf, companyOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Audit } from '../../operations/index.ts';
import type { CustomerDocuments } from '../documents/customer-documents.ts';
import type { OwnerActs, OwnersCopy } from './owner-acts.ts';
import type { Acting, ProvenActs } from './proven-acts.ts';

/** Of every act on a document: of its proof, and of the file that the last one seals. */
const actErrors = [
  ...proofErrors,
  'documents.content_mismatch',
  'documents.content_required',
  'documents.invalid_payload',
  'documents.not_found',
  'documents.pdf_unsupported',
  'documents.seal_unavailable',
  'documents.too_large',
  'photos.unavailable',
] as const;

interface Rules {
  readonly provenActs: ProvenActs;
  readonly documents: CustomerDocuments;
  readonly audit: Audit;
  readonly ownerActs: OwnerActs;
}

export function personActRoutes(app: App, { provenActs, documents }: Rules): void {
  const person = routesOf(app, {
    tags: ['documents'],
    access: ['person'],
    federated: { by: 'id', missing: 'documents.not_found' },
  });
  const path = '/api/person/documents/:id';

  person(
    `POST ${path}/sign`,
    {
      errors: [...actErrors, 'documents.challenge_invalid', 'documents.not_signable'],
      summary: 'Sign a document',
      description:
        'The proof is for the act `sign document <id> <content_sha256>`; the login secret alone is refused. The signature that completes a file carries it in `pdf`, and the platform seals it. Repeating a signature changes nothing.',
      body: SignDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: PersonDocument,
    },
    async (request) => {
      const { id } = request.params;
      const customerId = personOf(request);
      await provenActs.sign(request, { customerId, id }, request.body);
      return documents.get(customerId, id);
    },
  );

  person(
    `POST ${path}/accept`,
    {
      errors: [...actErrors, 'documents.not_acceptable'],
      summary: 'Accept a document',
      description:
        'A proof is for the act `accept document <id> <content_sha256, or ->`. The acceptance that completes a file with a digest carries it in `pdf`, and the platform seals it. Repeating it changes nothing.',
      body: AcceptDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: PersonDocument,
    },
    async (request) => {
      const { id } = request.params;
      const customerId = personOf(request);
      await provenActs.accept(request, { customerId, id }, request.body);
      return documents.get(customerId, id);
    },
  );
}

/** A company signs and accepts by its owner in the portal alone (wire 11.3): machines are refused. */
export function companyActRoutes(app: App, { provenActs, documents, audit }: Rules): void {
  const portal = routesOf(app, {
    tags: ['documents'],
    access: ['portal'],
    role: 'owner',
    federated: { by: 'id', missing: 'documents.not_found' },
  });
  const path = '/api/company-connections/:id/documents/:documentId';
  type Call = FastifyRequest & { readonly params: { readonly id: string; readonly documentId: string } };
  const read = (request: Call) =>
    documents.getIn(companyOf(request), request.params.id, request.params.documentId);
  const acting = (request: Call, action: AuditAction): Acting => {
    const [companyId, actor, id] = [companyOf(request), actorOf(request), request.params.documentId];
    return {
      customerId: companyId,
      id,
      admit: () => read(request),
      record: (writer) => audit.record(writer, { companyId, actor, action, target: id }),
    };
  };

  portal(
    `POST ${path}/sign`,
    {
      errors: [...actErrors, 'documents.challenge_invalid', 'documents.not_signable'],
      summary: 'Sign a document that a company has as a customer',
      description:
        'By the owner, who opens the copy with the account key. As a person signs: the proof is for the act `sign document <documentId> <content_sha256>`.',
      body: SignDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: CustomerDocument,
    },
    async (request) => {
      await provenActs.sign(request, acting(request, 'document.signed'), request.body);
      return read(request);
    },
  );

  portal(
    `POST ${path}/accept`,
    {
      errors: [...actErrors, 'documents.not_acceptable'],
      summary: 'Accept a document that a company has as a customer',
      description:
        'By the owner. As a person accepts: a proof is for the act `accept document <documentId> <content_sha256, or ->`.',
      body: AcceptDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: CustomerDocument,
    },
    async (request) => {
      await provenActs.accept(request, acting(request, 'document.accepted'), request.body);
      return read(request);
    },
  );
}

/** The company's own copies of documents of its runs, by its owner (wire 13.14). */
export function ownerActRoutes(app: App, { ownerActs, audit }: Rules): void {
  const portal = routesOf(app, { tags: ['documents'], access: ['portal'], role: 'owner' });
  const path = '/api/services/:id/flows/:flowId/runs/:runId/documents/:documentId';
  type Call = FastifyRequest & {
    readonly params: { readonly id: string; flowId: string; runId: string; documentId: string };
  };
  const ownOf = (request: Call, action: AuditAction): OwnersCopy => {
    const { id: serviceId, flowId, runId, documentId } = request.params;
    const [companyId, actor] = [companyOf(request), actorOf(request)];
    return {
      ...{ companyId, serviceId, flowId, runId, documentId },
      record: (writer) => audit.record(writer, { companyId, actor, action, target: documentId }),
    };
  };

  portal(
    `POST ${path}/sign`,
    {
      errors: [...actErrors, 'documents.challenge_invalid', 'documents.not_signable', 'flows.no_document'],
      summary: "Sign the company's own copy of a document of a run",
      description:
        'By the owner, who opens the copy with the key of the service. The proof is for the act `sign document <documentId> <content_sha256>`.',
      body: SignDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: FlowRunDocument,
    },
    (request) => ownerActs.sign(request, ownOf(request, 'document.signed'), request.body),
  );

  portal(
    `POST ${path}/accept`,
    {
      errors: [...actErrors, 'documents.not_acceptable', 'flows.no_document'],
      summary: "Accept the company's own copy of a document of a run",
      description:
        'By the owner. A proof is for the act `accept document <documentId> <content_sha256, or ->`.',
      body: AcceptDocumentRequest,
      bodyLimit: limits.uploadBodyBytes,
      ok: FlowRunDocument,
    },
    (request) => ownerActs.accept(request, ownOf(request, 'document.accepted'), request.body),
  );
}
