import { type CustomerDecisionsRequest, type DecisionsRequest, DeclineRequest } from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { type FederatedList, listOf } from '../../../http/federated.ts';
import type { routesOf } from '../../../http/routes.ts';
import type { Consents } from './consents.ts';

export const Code = Type.String({ maxLength: 40 });

// A connection is in the home region of the service's company, which can be another region than the customer's (wire 5.2).
export const byCodes = { federated: { by: 'company_code' } } as const;
export const byConnection = { federated: { by: 'id', missing: 'connections.not_found' } } as const;
const byConsent = { federated: { by: 'id', missing: 'consents.not_found' } } as const;

/** The declaration of a route that connects a customer. */
export const connecting = {
  summary: 'Connect to a service',
  description: 'Each answer is sealed to the service’s key; mandatory rows must be answered.',
  ...byCodes,
} as const;

/** The declaration of a route that replaces answers. */
export const remapping = {
  description: 'The whole new set: a row left out is unmapped; kind keep leaves an answer as it is.',
  ...byConnection,
} as const;

/** Adds the routes by which customers answer what a service asked for after they connected. */
export function consentRoutes<Connection extends TSchema, Consent>(
  route: ReturnType<typeof routesOf>,
  path: '/api/person/consents' | '/api/company-connections/consents',
  schemas: {
    readonly list: TSchema;
    readonly body: typeof DecisionsRequest | typeof CustomerDecisionsRequest;
    readonly connection: Connection;
  },
  needs: {
    /** The id of the connection or link of a consent: lists begin with the oldest. */
    readonly orderOf: (consent: Consent) => string;
    readonly customerOf: (request: FastifyRequest) => string;
    readonly consents: Consents<Static<Connection>, Consent>;
  },
): void {
  const { customerOf, consents } = needs;
  const list: FederatedList = listOf('consents', needs.orderOf);
  // The schemas are generic here: that the answers fit them is checked where this function is called.
  const connection: TSchema = schemas.connection;

  route(
    `GET ${path}`,
    { summary: 'List open consents', federated: { by: 'list', list }, ok: schemas.list },
    async (request) => ({ consents: await consents.list(customerOf(request)) }),
  );

  route(
    `POST ${path}/:id/provide`,
    { summary: 'Answer rows of a consent', ...byConsent, body: schemas.body, ok: connection },
    (request) => consents.provide(customerOf(request), request.params.id, request.body.decisions),
  );

  route(
    `POST ${path}/:id/decline`,
    {
      summary: 'Decline rows of a consent',
      description: 'All that are open, or those named; mandatory ones too.',
      ...byConsent,
      body: DeclineRequest,
      ok: connection,
    },
    (request) => consents.decline(customerOf(request), request.params.id, request.body.request_field_ids),
  );
}
