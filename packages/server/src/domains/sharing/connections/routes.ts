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
import type { CallPresence } from '../../../access/presence.ts';
import type { App } from '../../../http/app.ts';
import { answerErrors, proofErrors } from '../../../http/route-errors.ts';
import { routesOf } from '../../../http/routes.ts';
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
    presence: CallPresence;
  },
): void {
  const route = routesOf(app, { tags: ['person'], access: ['person'] });

  lookupRoutes(route, '/api/person/lookup', 'people', {
    answer: Lookup,
    run: (_request, company, service) => personConnections.lookup(company, service),
    errors: ['services.audience_b2b_only'],
    // Every region can answer.
    alone: { federated: { by: 'nothing' } },
  });

  route(
    'POST /api/person/connections',
    {
      errors: [
        ...answerErrors,
        ...proofErrors,
        'connections.exists',
        'connections.not_found',
        'connections.two_factor_required',
        'contact_data.mandatory_missing',
        'contact_data.usertype_forbidden',
        'profile.company_code_requires_service',
        'profile.not_found',
        'services.audience_b2b_only',
      ],
      ...connecting,
      body: ConnectRequest,
      created: PersonConnection,
    },
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
    {
      errors: [...answerErrors, 'connections.not_found', 'contact_data.usertype_forbidden'],
      summary: 'Change answers',
      ...remapping,
      body: DecisionsRequest,
      ok: PersonConnection,
    },
    (request) => personConnections.remap(personOf(request), request.params.id, request.body.decisions),
  );

  route(
    'DELETE /api/person/connections/:id',
    {
      errors: ['company_connections.active_contract', 'connections.not_found', 'contact_data.field_changed'],
      summary: 'Disconnect',
      ...byConnection,
    },
    (request) => personConnections.disconnect(personOf(request), request.params.id),
  );

  consentRoutes(
    route,
    '/api/person/consents',
    { list: PersonConsentList, body: DecisionsRequest, connection: PersonConnection },
    { orderOf: (consent) => consent.connection_id, customerOf: personOf, consents },
  );
}
