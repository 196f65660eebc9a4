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
import { listOf } from '../../../http/federated.ts';
import { routesOf } from '../../../http/routes.ts';
import {
  byCodes,
  byConnection,
  Code,
  type Consents,
  connecting,
  consentRoutes,
  remapping,
} from '../connections/index.ts';
import type { CompanyConnections } from './company-connections.ts';

// Oldest link first.
const allConnections = {
  federated: {
    by: 'list',
    list: listOf(
      'connections',
      ({ id, services: [first] }: CustomerConnection) => first?.service_link_id ?? id,
    ),
  },
} as const;
export function companyConnectionRoutes(
  app: App,
  {
    companyConnections,
    consents,
  }: { companyConnections: CompanyConnections; consents: Consents<ServiceLink, CustomerConsent> },
): void {
  const route = routesOf(app, { tags: ['customer'], access: ['portal', 'account_client'] });

  route(
    'GET /api/company-connections/lookup/:companyCode',
    {
      summary: 'A company code alone',
      description: 'Always 400 profile.company_code_requires_service: companies connect to services.',
      params: { companyCode: Code },
      ok: CustomerLookup,
    },
    (request) => companyConnections.lookup(companyOf(request), request.params.companyCode, undefined),
  );

  route(
    'GET /api/company-connections/lookup/:companyCode/:serviceCode',
    {
      summary: 'A service and what it asks of companies',
      ...byCodes,
      params: { companyCode: Code, serviceCode: Code },
      ok: CustomerLookup,
    },
    async (request) => {
      const { companyCode, serviceCode } = request.params;
      return companyConnections.lookup(companyOf(request), companyCode, serviceCode);
    },
  );

  route(
    'POST /api/company-connections',
    {
      ...connecting,
      body: CustomerConnectRequest,
      created: CustomerConnection,
    },
    (request) => companyConnections.connect(companyOf(request), actorOf(request), request.body),
  );

  route(
    'GET /api/company-connections',
    { summary: 'List connections', ...allConnections, ok: CustomerConnectionList },
    async (request) => ({ connections: await companyConnections.list(companyOf(request)) }),
  );

  route(
    'GET /api/company-connections/:id',
    { summary: 'Read a connection', ...byConnection, ok: CustomerConnection },
    (request) => companyConnections.get(companyOf(request), request.params.id),
  );

  route(
    'DELETE /api/company-connections/:id',
    { summary: 'Disconnect from all services of a company', ...byConnection },
    (request) => companyConnections.disconnect(companyOf(request), actorOf(request), request.params.id),
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
      await companyConnections.disconnectService(companyOf(request), actorOf(request), { id, linkId });
    },
  );

  route(
    'PUT /api/company-connections/:id/services/:serviceLinkId/mappings',
    {
      summary: 'Replace the answers to a service',
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
