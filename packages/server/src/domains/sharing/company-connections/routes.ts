import {
  CustomerConnection,
  CustomerConnectionList,
  CustomerConnectRequest,
  type CustomerConsent,
  CustomerConsentList,
  CustomerDecisionsRequest,
  CustomerLookup,
  DeclineRequest,
  Id,
  ServiceLink,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import type { CompanyConnections } from './company-connections.ts';
import type { CompanyConsents } from './company-consents.ts';

const params = Type.Object({ id: Id });
const linkParams = Type.Object({ id: Id, serviceLinkId: Id });
const Code = Type.String({ maxLength: 40 });
const tags = ['customer'];

// A link is where the company of the service is at home, and that may be another region than the customer's.
const access = ['portal', 'account_client'] as const;
const config = { access } as const;
const byCompany = { access, federated: { by: 'company_code' } } as const;
const byConnection = { access, federated: { by: 'id', missing: 'connections.not_found' } } as const;
const byConsent = { access, federated: { by: 'id', missing: 'consents.not_found' } } as const;
// Oldest link first.
const allConnections = {
  access,
  federated: {
    by: 'list',
    list: listOf(
      'connections',
      ({ id, services: [first] }: CustomerConnection) => first?.service_link_id ?? id,
    ),
  },
} as const;
const allConsents = {
  access,
  federated: { by: 'list', list: listOf('consents', (item: CustomerConsent) => item.service_link_id) },
} as const;

export function companyConnectionRoutes(
  app: App,
  {
    companyConnections,
    companyConsents,
  }: { companyConnections: CompanyConnections; companyConsents: CompanyConsents },
): void {
  app.get(
    '/api/company-connections/lookup/:companyCode',
    {
      config,
      schema: {
        tags,
        summary: 'A company code alone',
        description: 'Always 400 profile.company_code_requires_service: companies connect to services.',
        params: Type.Object({ companyCode: Code }),
        response: { 200: CustomerLookup },
      },
    },
    async (request) => companyConnections.lookup(companyOf(request), request.params.companyCode, undefined),
  );

  app.get(
    '/api/company-connections/lookup/:companyCode/:serviceCode',
    {
      config: byCompany,
      schema: {
        tags,
        summary: 'A service and what it asks of companies',
        params: Type.Object({ companyCode: Code, serviceCode: Code }),
        response: { 200: CustomerLookup },
      },
    },
    async (request) => {
      const { companyCode, serviceCode } = request.params;
      return companyConnections.lookup(companyOf(request), companyCode, serviceCode);
    },
  );

  app.post(
    '/api/company-connections',
    {
      config: byCompany,
      schema: {
        tags,
        summary: 'Connect to a service',
        description: 'Each answer is sealed to the service’s key; mandatory rows must be answered.',
        body: CustomerConnectRequest,
        response: { 201: CustomerConnection },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await companyConnections.connect(companyOf(request), actorOf(request), request.body)),
  );

  app.get(
    '/api/company-connections',
    {
      config: allConnections,
      schema: { tags, summary: 'List connections', response: { 200: CustomerConnectionList } },
    },
    async (request) => ({ connections: await companyConnections.list(companyOf(request)) }),
  );

  app.get(
    '/api/company-connections/:id',
    {
      config: byConnection,
      schema: { tags, summary: 'Read a connection', params, response: { 200: CustomerConnection } },
    },
    async (request) => companyConnections.get(companyOf(request), request.params.id),
  );

  app.delete(
    '/api/company-connections/:id',
    {
      config: byConnection,
      schema: {
        tags,
        summary: 'Disconnect from all services of a company',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await companyConnections.disconnect(companyOf(request), actorOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/company-connections/:id/services/:serviceLinkId',
    {
      config: byConnection,
      schema: {
        tags,
        summary: 'Disconnect from a service',
        description: 'The connection ends with its last link.',
        params: linkParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id, serviceLinkId: linkId } = request.params;
      await companyConnections.disconnectService(companyOf(request), actorOf(request), { id, linkId });
      return reply.code(204).send(null);
    },
  );

  app.put(
    '/api/company-connections/:id/services/:serviceLinkId/mappings',
    {
      config: byConnection,
      schema: {
        tags,
        summary: 'Replace the answers to a service',
        description: 'The whole new set: a row left out is unmapped; kind keep leaves an answer as it is.',
        params: linkParams,
        body: CustomerDecisionsRequest,
        response: { 200: ServiceLink },
      },
    },
    async (request) => {
      const { id, serviceLinkId: linkId } = request.params;
      return companyConnections.remap(companyOf(request), { id, linkId }, request.body.decisions);
    },
  );

  app.get(
    '/api/company-connections/consents',
    {
      config: allConsents,
      schema: { tags, summary: 'List open consents', response: { 200: CustomerConsentList } },
    },
    async (request) => ({ consents: await companyConsents.list(companyOf(request)) }),
  );

  app.post(
    '/api/company-connections/consents/:id/provide',
    {
      config: byConsent,
      schema: {
        tags,
        summary: 'Answer rows of a consent',
        params,
        body: CustomerDecisionsRequest,
        response: { 200: ServiceLink },
      },
    },
    async (request) => companyConsents.provide(companyOf(request), request.params.id, request.body.decisions),
  );

  app.post(
    '/api/company-connections/consents/:id/decline',
    {
      config: byConsent,
      schema: {
        tags,
        summary: 'Decline rows of a consent',
        description: 'All that are open, or those named; mandatory ones too.',
        params,
        body: DeclineRequest,
        response: { 200: ServiceLink },
      },
    },
    async (request) =>
      companyConsents.decline(companyOf(request), request.params.id, request.body.request_field_ids),
  );
}
