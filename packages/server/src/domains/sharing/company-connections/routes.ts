import {
  CustomerConnection,
  CustomerConnectionList,
  CustomerConnectRequest,
  type CustomerConsent,
  CustomerConsentList,
  CustomerDecisionsRequest,
  CustomerLookup,
  DeclineRequest,
  ServiceLink,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import { routesOf } from '../../../http/routes.ts';
import type { CompanyConnections } from './company-connections.ts';
import type { CompanyConsents } from './company-consents.ts';

const Code = Type.String({ maxLength: 40 });

// A link is where the company of the service is at home, and that may be another region than the customer's.
const byCompany = { federated: { by: 'company_code' } } as const;
const byConnection = { federated: { by: 'id', missing: 'connections.not_found' } } as const;
const byConsent = { federated: { by: 'id', missing: 'consents.not_found' } } as const;
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
const allConsents = {
  federated: { by: 'list', list: listOf('consents', (item: CustomerConsent) => item.service_link_id) },
} as const;

export function companyConnectionRoutes(
  app: App,
  {
    companyConnections,
    companyConsents,
  }: { companyConnections: CompanyConnections; companyConsents: CompanyConsents },
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
      ...byCompany,
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
      summary: 'Connect to a service',
      description: 'Each answer is sealed to the service’s key; mandatory rows must be answered.',
      ...byCompany,
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
      description: 'The whole new set: a row left out is unmapped; kind keep leaves an answer as it is.',
      ...byConnection,
      body: CustomerDecisionsRequest,
      ok: ServiceLink,
    },
    async (request) => {
      const { id, serviceLinkId: linkId } = request.params;
      return companyConnections.remap(companyOf(request), { id, linkId }, request.body.decisions);
    },
  );

  route(
    'GET /api/company-connections/consents',
    { summary: 'List open consents', ...allConsents, ok: CustomerConsentList },
    async (request) => ({ consents: await companyConsents.list(companyOf(request)) }),
  );

  route(
    'POST /api/company-connections/consents/:id/provide',
    { summary: 'Answer rows of a consent', ...byConsent, body: CustomerDecisionsRequest, ok: ServiceLink },
    (request) => companyConsents.provide(companyOf(request), request.params.id, request.body.decisions),
  );

  route(
    'POST /api/company-connections/consents/:id/decline',
    {
      summary: 'Decline rows of a consent',
      description: 'All that are open, or those named; mandatory ones too.',
      ...byConsent,
      body: DeclineRequest,
      ok: ServiceLink,
    },
    (request) =>
      companyConsents.decline(companyOf(request), request.params.id, request.body.request_field_ids),
  );
}
