import {
  CustomerConnection,
  CustomerConnectionList,
  CustomerConnectRequest,
  type CustomerConsent,
  CustomerConsentList,
  CustomerDecisionsRequest,
  CustomerLookup,
  FileUpload,
  limits,
  ServiceLink,
  UploadFileRequest,
} from '@symbolon/protocol';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { answerErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Uploads } from '../../people/index.ts';
import type { Consents } from '../connections/consents.ts';
import {
  byConnection,
  connecting,
  connectionRoutes,
  consentRoutes,
  lookupRoutes,
  remapping,
} from '../connections/customer-routes.ts';
import type { CompanyConnections } from './company-connections.ts';

export function companyConnectionRoutes(
  app: App,
  {
    companyConnections,
    consents,
    uploads,
  }: {
    companyConnections: CompanyConnections;
    consents: Consents<ServiceLink, CustomerConsent>;
    uploads: Uploads;
  },
): void {
  const route = routesOf(app, { tags: ['customer'], access: ['portal', 'account_client'] });

  lookupRoutes(route, '/api/company-connections/lookup', 'companies', {
    answer: CustomerLookup,
    run: (request, company, service) => companyConnections.lookup(companyOf(request), company, service),
    errors: ['company_connections.own_service', 'company_connections.persons_only'],
    alone: {},
  });

  route(
    'POST /api/company-connections/uploads',
    {
      errors: ['account.storage_full', 'contact_data.uploads_limit', 'contact_data.wrapper_invalid'],
      summary: 'Upload a sealed file',
      description:
        'For a row of a service: the decision that answers the row names the upload within an hour, then it is gone.',
      limit: 'connections',
      body: UploadFileRequest,
      bodyLimit: limits.uploadBodyBytes,
      created: FileUpload,
    },
    (request) => uploads.ofCompany(companyOf(request), request.body.value),
  );

  route(
    'POST /api/company-connections',
    {
      errors: [
        ...answerErrors,
        'company_connections.own_service',
        'company_connections.persons_only',
        'connections.exists',
        'contact_data.mandatory_missing',
        'contact_data.usertype_forbidden',
        'profile.company_code_requires_service',
        'profile.not_found',
      ],
      ...connecting,
      body: CustomerConnectRequest,
      created: CustomerConnection,
    },
    (request) => companyConnections.connect(companyOf(request), actorOf(request), request.body),
  );

  connectionRoutes(
    route,
    '/api/company-connections',
    { list: CustomerConnectionList, connection: CustomerConnection },
    {
      orderOf: ({ id, services: [first] }) => first?.service_link_id ?? id,
      customerOf: companyOf,
      connections: companyConnections,
    },
  );

  route(
    'DELETE /api/company-connections/:id',
    {
      errors: ['company_connections.active_contract', 'connections.not_found'],
      summary: 'Disconnect from all services of a company',
      ...byConnection,
    },
    (request) =>
      companyConnections.disconnect(companyOf(request), actorOf(request), { id: request.params.id }),
  );

  route(
    'DELETE /api/company-connections/:id/services/:serviceLinkId',
    {
      errors: ['company_connections.active_contract', 'connections.not_found'],
      summary: 'Disconnect from a service',
      description: 'The connection ends with its last link.',
      ...byConnection,
    },
    async (request) => {
      const { id, serviceLinkId: linkId } = request.params;
      await companyConnections.disconnect(companyOf(request), actorOf(request), { id, linkId });
    },
  );

  route(
    'PUT /api/company-connections/:id/services/:serviceLinkId/mappings',
    {
      errors: [...answerErrors, 'connections.not_found', 'contact_data.usertype_forbidden'],
      summary: 'Change answers to a service',
      ...remapping,
      body: CustomerDecisionsRequest,
      ok: ServiceLink,
    },
    async (request) => {
      const { id, serviceLinkId: linkId } = request.params;
      return companyConnections.remap(companyOf(request), { id, linkId }, request.body.decisions);
    },
  );

  consentRoutes(
    route,
    '/api/company-connections/consents',
    { list: CustomerConsentList, body: CustomerDecisionsRequest, connection: ServiceLink },
    { orderOf: (consent) => consent.service_link_id, customerOf: companyOf, consents },
  );
}
