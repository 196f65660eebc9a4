import {
  ConnectRequest,
  DecisionsRequest,
  DeclineRequest,
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
import { routesOf } from '../../../http/routes.ts';
import type { Consents } from './consents.ts';
import type { PersonConnections } from './person-connections.ts';

const Code = Type.String({ maxLength: 40 });

// A connection is where its company is at home: people are answered in any region (wire 5.2).
const inAny = { federated: { by: 'nothing' } } as const;
const byCompany = { federated: { by: 'company_code' } } as const;
const byConnection = { federated: { by: 'id', missing: 'connections.not_found' } } as const;
const byConsent = { federated: { by: 'id', missing: 'consents.not_found' } } as const;
// Oldest connection first.
const allConnections = {
  federated: { by: 'list', list: listOf('connections', (item: PersonConnection) => item.connection_id) },
} as const;
const allConsents = {
  federated: { by: 'list', list: listOf('consents', (item: PersonConsent) => item.connection_id) },
} as const;

export function personConnectionRoutes(
  app: App,
  { personConnections, consents }: { personConnections: PersonConnections; consents: Consents },
): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  route(
    'GET /api/person/lookup/:companyCode',
    {
      summary: 'A company code alone',
      description: 'Always 400 profile.company_code_requires_service: people connect to services.',
      ...inAny,
      params: { companyCode: Code },
      ok: Lookup,
    },
    (request) => personConnections.lookup(request.params.companyCode, undefined),
  );

  route(
    'GET /api/person/lookup/:companyCode/:serviceCode',
    {
      summary: 'A service and what it asks of people',
      ...byCompany,
      params: { companyCode: Code, serviceCode: Code },
      ok: Lookup,
    },
    (request) => personConnections.lookup(request.params.companyCode, request.params.serviceCode),
  );

  route(
    'POST /api/person/connections',
    {
      summary: 'Connect to a service',
      description: 'Each answer is sealed to the service’s key; mandatory rows must be answered.',
      ...byCompany,
      body: ConnectRequest,
      created: PersonConnection,
    },
    (request) => personConnections.connect(personOf(request), request.body),
  );

  route(
    'GET /api/person/connections',
    { summary: 'List connections', ...allConnections, ok: PersonConnectionList },
    async (request) => ({ connections: await personConnections.list(personOf(request)) }),
  );

  route(
    'GET /api/person/connections/:id',
    { summary: 'Read a connection', ...byConnection, ok: PersonConnection },
    (request) => personConnections.get(personOf(request), request.params.id),
  );

  route(
    'PUT /api/person/connections/:id/mappings',
    {
      summary: 'Replace the answers',
      description: 'The whole new set: a row left out is unmapped; kind keep leaves an answer as it is.',
      ...byConnection,
      body: DecisionsRequest,
      ok: PersonConnection,
    },
    (request) => personConnections.remap(personOf(request), request.params.id, request.body.decisions),
  );

  route('DELETE /api/person/connections/:id', { summary: 'Disconnect', ...byConnection }, (request) =>
    personConnections.disconnect(personOf(request), request.params.id),
  );

  route(
    'GET /api/person/consents',
    { summary: 'List open consents', ...allConsents, ok: PersonConsentList },
    async (request) => ({ consents: await consents.list(personOf(request)) }),
  );

  route(
    'POST /api/person/consents/:id/provide',
    { summary: 'Answer rows of a consent', ...byConsent, body: DecisionsRequest, ok: PersonConnection },
    (request) => consents.provide(personOf(request), request.params.id, request.body.decisions),
  );

  route(
    'POST /api/person/consents/:id/decline',
    {
      summary: 'Decline rows of a consent',
      description: 'All that are open, or those named; mandatory ones too.',
      ...byConsent,
      body: DeclineRequest,
      ok: PersonConnection,
    },
    (request) => consents.decline(personOf(request), request.params.id, request.body.request_field_ids),
  );
}
