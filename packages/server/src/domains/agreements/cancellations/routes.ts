import { CancelDocumentRequest, CustomerDocument, PersonDocument } from '@symbolon/protocol';
import { actorOf, companyOf, personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Cancellations } from './cancellations.ts';

export function cancellationRoutes(app: App, { cancellations }: { cancellations: Cancellations }): void {
  const shared = { tags: ['documents'], federated: { by: 'id', missing: 'documents.not_found' } } as const;
  const description =
    'Its metadata must say can_be_cancelled_in_app. What is active ends on the valid_until of its metadata, else the renewal_date, else today. A repetition changes nothing.';

  routesOf(app, { ...shared, access: ['person'] })(
    'POST /api/person/documents/:id/cancel',
    {
      errors: ['documents.not_cancellable', 'documents.not_found', 'documents.run_managed'],
      summary: 'Cancel a document',
      description,
      body: CancelDocumentRequest,
      ok: PersonDocument,
    },
    (request) => cancellations.byPerson(personOf(request), request.params.id, request.body.note),
  );

  routesOf(app, { ...shared, access: ['portal', 'account_client'], role: 'owner' })(
    'POST /api/company-connections/:id/documents/:documentId/cancel',
    {
      errors: ['documents.not_cancellable', 'documents.not_found'],
      summary: 'Cancel a document that a company has as a customer',
      description: `${description} In the portal the owner cancels.`,
      body: CancelDocumentRequest,
      ok: CustomerDocument,
    },
    (request) => {
      const customer = { companyId: companyOf(request), actor: actorOf(request) };
      const { id: connectionId, documentId: id } = request.params;
      return cancellations.byCompany(customer, { connectionId, id }, request.body.note);
    },
  );
}
