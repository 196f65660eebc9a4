import {
  type CustomerDecisionsRequest,
  type DecisionsRequest,
  DeclineRequest,
  type ErrorKey,
} from '@symbolon/protocol';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { Part } from '../../../core/parted-page.ts';
import { type FederatedList, type ListedItem, listOf } from '../../../http/federated.ts';
import { sendList } from '../../../http/parted-page.ts';
import { answerErrors } from '../../../http/route-errors.ts';
import type { routesOf } from '../../../http/routes.ts';
import type { Consents } from './consents.ts';

const Code = Type.String({ maxLength: 40 });

// A connection is in the home region of the service's company, which can be another region than the customer's (wire 5.2).
const byCodes = { federated: { by: 'company_code' }, looksUp: 'profile.not_found' } as const;
export const byConnection = { federated: { by: 'id', missing: 'connections.not_found' } } as const;
const byConsent = { federated: { by: 'id', missing: 'consents.not_found' } } as const;

/** The declaration of a route that connects a customer. */
export const connecting = {
  summary: 'Connect to a service',
  description: 'Each answer is sealed to the service’s key; mandatory rows must be answered.',
  ...byCodes,
} as const;

/** The declaration of a route that changes answers. */
export const remapping = {
  description: 'Rows that are named change, all others stay as they are; kind remove takes an answer away.',
  ...byConnection,
} as const;

type Route = ReturnType<typeof routesOf>;

/** Adds the routes by which customers find a service by the codes of its company and itself. */
export function lookupRoutes<Lookup extends TSchema>(
  route: Route,
  path: '/api/person/lookup' | '/api/company-connections/lookup',
  customers: 'people' | 'companies',
  lookup: {
    readonly answer: Lookup;
    readonly run: (request: FastifyRequest, company: string, service?: string) => Promise<Static<Lookup>>;
    /** What a service may be refused for. */
    readonly errors: readonly ErrorKey[];
    /** The configuration of the route for a company code alone. */
    readonly alone: FastifyContextConfig;
  },
): void {
  const ok: TSchema = lookup.answer;

  route(
    `GET ${path}/:companyCode`,
    {
      errors: ['profile.company_code_requires_service'],
      summary: 'A company code alone',
      description: `Always 400 profile.company_code_requires_service: ${customers} connect to services.`,
      ...lookup.alone,
      params: { companyCode: Code },
      ok,
    },
    (request) => lookup.run(request, request.params.companyCode),
  );

  route(
    `GET ${path}/:companyCode/:serviceCode`,
    {
      errors: [...lookup.errors, 'profile.company_code_requires_service', 'profile.not_found'],
      summary: `A service and what it asks of ${customers}`,
      ...byCodes,
      params: { companyCode: Code, serviceCode: Code },
      ok,
    },
    (request) => lookup.run(request, request.params.companyCode, request.params.serviceCode),
  );
}

/** Adds the routes by which customers read their connections. */
export function connectionRoutes<Connection extends TSchema>(
  route: Route,
  path: '/api/person/connections' | '/api/company-connections',
  schemas: { readonly list: TSchema; readonly connection: Connection },
  needs: {
    /** The id of the first link or connection: lists begin with the oldest. */
    readonly orderOf: (connection: Static<Connection>) => string;
    readonly customerOf: (request: FastifyRequest) => string;
    readonly connections: {
      parts(customerId: string): Promise<Part<Static<Connection>>[]>;
      get(customerId: string, id: string): Promise<Static<Connection>>;
    };
  },
): void {
  const { customerOf, connections } = needs;
  const list: FederatedList = listOf('connections', needs.orderOf);
  const ok: TSchema = schemas.connection;

  route(
    `GET ${path}`,
    {
      summary: 'List connections',
      federated: { by: 'list', list },
      ok: schemas.list,
    },
    async (request, reply) => {
      const parts = await connections.parts(customerOf(request));
      return sendList(reply, schemas.connection, { member: 'connections', parts });
    },
  );

  route(
    `GET ${path}/:id`,
    { errors: ['connections.not_found'], summary: 'Read a connection', ...byConnection, ok },
    (request) => connections.get(customerOf(request), request.params.id),
  );
}

/** Adds the routes by which customers answer what a service asked for after they connected. */
export function consentRoutes<Connection extends TSchema, Consent extends ListedItem>(
  route: Route,
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
  const ok: TSchema = schemas.connection;

  route(
    `GET ${path}`,
    { summary: 'List open consents', federated: { by: 'list', list }, ok: schemas.list },
    async (request) => ({ consents: await consents.list(customerOf(request)) }),
  );

  route(
    `POST ${path}/:id/provide`,
    {
      errors: [...answerErrors, 'consents.not_found', 'contact_data.mandatory_missing'],
      summary: 'Answer rows of a consent',
      ...byConsent,
      body: schemas.body,
      ok,
    },
    (request) => consents.provide(customerOf(request), request.params.id, request.body.decisions),
  );

  route(
    `POST ${path}/:id/decline`,
    {
      errors: ['consents.not_found', 'contact_data.decision_invalid'],
      summary: 'Decline rows of a consent',
      description: 'All that are open, or those named; mandatory ones too.',
      ...byConsent,
      body: DeclineRequest,
      ok,
    },
    (request) => consents.decline(customerOf(request), request.params.id, request.body.request_field_ids),
  );
}
