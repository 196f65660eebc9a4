import {
  ConnectRequest,
  DecisionsRequest,
  Lookup,
  PersonConnection,
  PersonConnectionList,
  type PersonConsent,
  PersonConsentList,
} from '@symbolon/protocol';
import { personOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { listOf } from '../../../http/federated.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Consents } from './consents.ts';
import { byCodes, byConnection, Code, connecting, consentRoutes, remapping } from './customer-routes.ts';
import type { PersonConnections } from './person-connections.ts';

// Every region can answer.
const inAny = { federated: { by: 'nothing' } } as const;
// Oldest connection first.
const allConnections = {
  federated: { by: 'list', list: listOf('connections', (item: PersonConnection) => item.connection_id) },
} as const;
export function personConnectionRoutes(
  app: App,
  {
    personConnections,
    consents,
  }: { personConnections: PersonConnections; consents: Consents<PersonConnection, PersonConsent> },
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
      ...byCodes,
      params: { companyCode: Code, serviceCode: Code },
      ok: Lookup,
    },
    (request) => personConnections.lookup(request.params.companyCode, request.params.serviceCode),
  );

  route(
    'POST /api/person/connections',
    {
      ...connecting,
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
      ...remapping,
      body: DecisionsRequest,
      ok: PersonConnection,
    },
    (request) => personConnections.remap(personOf(request), request.params.id, request.body.decisions),
  );

  route('DELETE /api/person/connections/:id', { summary: 'Disconnect', ...byConnection }, (request) =>
    personConnections.disconnect(personOf(request), request.params.id),
  );

  consentRoutes(
    route,
    '/api/person/consents',
    { list: PersonConsentList, body: DecisionsRequest, connection: PersonConnection },
    { orderOf: (consent) => consent.connection_id, customerOf: personOf, consents },
  );
}
