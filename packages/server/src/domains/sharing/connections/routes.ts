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
import { routesOf } from '../../../http/routes.ts';
import type { Presence } from '../../identity/index.ts';
import type { Consents } from './consents.ts';
import {
  byConnection,
  connecting,
  connectionRoutes,
  consentRoutes,
  lookupRoutes,
  remapping,
} from './customer-routes.ts';
import { connectionAct, type PersonConnections } from './person-connections.ts';

export function personConnectionRoutes(
  app: App,
  {
    personConnections,
    consents,
    presence,
  }: {
    personConnections: PersonConnections;
    consents: Consents<PersonConnection, PersonConsent>;
    presence: Presence;
  },
): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  lookupRoutes(route, '/api/person/lookup', 'people', {
    answer: Lookup,
    run: (_request, company, service) => personConnections.lookup(company, service),
    // Every region can answer.
    alone: { federated: { by: 'nothing' } },
  });

  route(
    'POST /api/person/connections',
    { ...connecting, body: ConnectRequest, created: PersonConnection },
    async (request) => {
      const { proof, ...wanted } = request.body;
      // For a service that wants two factors, the login secret alone proves nothing.
      const proven =
        proof === undefined
          ? undefined
          : await presence.presenceOf(request, connectionAct(wanted), proof, { strong: true });
      return personConnections.connect(personOf(request), wanted, { presence: proven });
    },
  );

  connectionRoutes(
    route,
    '/api/person/connections',
    { list: PersonConnectionList, connection: PersonConnection },
    {
      orderOf: (connection) => connection.connection_id,
      customerOf: personOf,
      connections: personConnections,
    },
  );

  route(
    'PUT /api/person/connections/:id/mappings',
    { summary: 'Change answers', ...remapping, body: DecisionsRequest, ok: PersonConnection },
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
