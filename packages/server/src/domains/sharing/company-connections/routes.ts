import {
  CustomerConnection,
  CustomerConnectionList,
  CustomerConnectRequest,
  type CustomerConsent,
  CustomerConsentList,
  CustomerDecisionsRequest,
  CustomerLookup,
  ServiceLink,
} from '@symbolon/protocol';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import {
  byConnection,
  type Consents,
  connecting,
  connectionRoutes,
  consentRoutes,
  lookupRoutes,
  remapping,
} from '../connections/index.ts';
import type { CompanyConnections } from './company-connections.ts';

export function companyConnectionRoutes(
  app: App,
  {
    companyConnections,
    consents,
  }: { companyConnections: CompanyConnections; consents: Consents<ServiceLink, CustomerConsent> },
): void {
  const route = routesOf(app, { tags: ['customer'], access: ['portal', 'account_client'] });

  lookupRoutes(route, '/api/company-connections/lookup', 'companies', {
    answer: CustomerLookup,
    run: (request, company, service) => companyConnections.lookup(companyOf(request), company, service),
    alone: {},
  });

  route(
    'POST /api/company-connections',
    { ...connecting, body: CustomerConnectRequest, created: CustomerConnection },
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
    { summary: 'Disconnect from all services of a company', ...byConnection },
    (request) =>
      companyConnections.disconnect(companyOf(request), actorOf(request), { id: request.params.id }),
  );

  route(
    'DELETE /api/company-connections/:id/services/:serviceLinkId',
    {
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
