import {
  ConnectRequest,
  DecisionsRequest,
  DeclineRequest,
  Id,
  Lookup,
  PersonConnection,
  PersonConnectionList,
  type PersonConsent,
  PersonConsentList,
} from '@symbolon/protocol';
import { Type } from 'typebox';
import { personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import type { Consents } from './consents.ts';
import type { PersonConnections } from './person-connections.ts';

const params = Type.Object({ id: Id });
const Code = Type.String({ maxLength: 40 });
const tags = ['person'];

// A connection is where its company is at home: people are answered in any region (wire 5.2).
const access = ['person'] as const;
const inAny = { access, federated: { by: 'nothing' } } as const;
const byCompany = { access, federated: { by: 'company_code' } } as const;
const byConnection = { access, federated: { by: 'id', missing: 'connections.not_found' } } as const;
const byConsent = { access, federated: { by: 'id', missing: 'consents.not_found' } } as const;
// Oldest connection first.
const allConnections = {
  access,
  federated: { by: 'list', list: listOf('connections', (item: PersonConnection) => item.connection_id) },
} as const;
const allConsents = {
  access,
  federated: { by: 'list', list: listOf('consents', (item: PersonConsent) => item.connection_id) },
} as const;

export function personConnectionRoutes(
  app: App,
  { personConnections, consents }: { personConnections: PersonConnections; consents: Consents },
): void {
  app.get(
    '/api/person/lookup/:companyCode',
    {
      config: inAny,
      schema: {
        tags,
        summary: 'A company code alone',
        description: 'Always 400 profile.company_code_requires_service: people connect to services.',
        params: Type.Object({ companyCode: Code }),
        response: { 200: Lookup },
      },
    },
    async (request) => personConnections.lookup(request.params.companyCode, undefined),
  );

  app.get(
    '/api/person/lookup/:companyCode/:serviceCode',
    {
      config: byCompany,
      schema: {
        tags,
        summary: 'A service and what it asks of people',
        params: Type.Object({ companyCode: Code, serviceCode: Code }),
        response: { 200: Lookup },
      },
    },
    async (request) => personConnections.lookup(request.params.companyCode, request.params.serviceCode),
  );

  app.post(
    '/api/person/connections',
    {
      config: byCompany,
      schema: {
        tags,
        summary: 'Connect to a service',
        description: 'Each answer is sealed to the service’s key; mandatory rows must be answered.',
        body: ConnectRequest,
        response: { 201: PersonConnection },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await personConnections.connect(personOf(request), request.body)),
  );

  app.get(
    '/api/person/connections',
    {
      config: allConnections,
      schema: { tags, summary: 'List connections', response: { 200: PersonConnectionList } },
    },
    async (request) => ({ connections: await personConnections.list(personOf(request)) }),
  );

  app.get(
    '/api/person/connections/:id',
    {
      config: byConnection,
      schema: { tags, summary: 'Read a connection', params, response: { 200: PersonConnection } },
    },
    async (request) => personConnections.get(personOf(request), request.params.id),
  );

  app.put(
    '/api/person/connections/:id/mappings',
    {
      config: byConnection,
      schema: {
        tags,
        summary: 'Replace the answers',
        description: 'The whole new set: a row left out is unmapped; kind keep leaves an answer as it is.',
        params,
        body: DecisionsRequest,
        response: { 200: PersonConnection },
      },
    },
    async (request) => personConnections.remap(personOf(request), request.params.id, request.body.decisions),
  );

  app.delete(
    '/api/person/connections/:id',
    { config: byConnection, schema: { tags, summary: 'Disconnect', params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await personConnections.disconnect(personOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/person/consents',
    {
      config: allConsents,
      schema: { tags, summary: 'List open consents', response: { 200: PersonConsentList } },
    },
    async (request) => ({ consents: await consents.list(personOf(request)) }),
  );

  app.post(
    '/api/person/consents/:id/provide',
    {
      config: byConsent,
      schema: {
        tags,
        summary: 'Answer rows of a consent',
        params,
        body: DecisionsRequest,
        response: { 200: PersonConnection },
      },
    },
    async (request) => consents.provide(personOf(request), request.params.id, request.body.decisions),
  );

  app.post(
    '/api/person/consents/:id/decline',
    {
      config: byConsent,
      schema: {
        tags,
        summary: 'Decline rows of a consent',
        description: 'All that are open, or those named; mandatory ones too.',
        params,
        body: DeclineRequest,
        response: { 200: PersonConnection },
      },
    },
    async (request) => consents.decline(personOf(request), request.params.id, request.body.request_field_ids),
  );
}
