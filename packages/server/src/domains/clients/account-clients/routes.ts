import {
  AccountClientList,
  AccountClientWithSecret,
  CapabilitiesRequest,
  CreateAccountClientRequest,
  GrantedCapabilities,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { AccountClientRef, AccountClients } from './account-clients.ts';

const PATH = '/api/account/clients';
const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, description: 'client_id' }) });
// A company's portal login alone: no client makes clients, or grants itself anything (wire 4.7).
const access = ['portal'] as const;
const config = { access } as const;
// Who can make a client that manages delegates could make himself anything, so this takes an admin.
const managing = { access, role: 'admin' } as const;
const tags = ['account'];
const NO_STORE = ['cache-control', 'no-store'] as const;

export function accountClientRoutes(app: App, { accountClients }: { accountClients: AccountClients }): void {
  const refOf = (
    request: FastifyRequest<{ Params: { id: string } }> | { params: { id: string } },
  ): AccountClientRef => ({
    companyId: companyOf(request as FastifyRequest),
    clientId: request.params.id,
  });

  app.post(
    PATH,
    {
      config: {
        ...managing,
        invalidKeys: {
          '/name': 'account_clients.name_invalid',
          '/purpose': 'account_clients.purpose_invalid',
        },
      },
      schema: {
        tags,
        summary: 'Create an account client',
        description: 'A client acts as the company, within the capability groups that it is granted here.',
        body: CreateAccountClientRequest,
        response: { 201: AccountClientWithSecret },
      },
    },
    async (request, reply) => {
      const made = await accountClients.create(companyOf(request), actorOf(request), request.body);
      return reply
        .code(201)
        .header(...NO_STORE)
        .send(made);
    },
  );

  app.get(
    PATH,
    { config, schema: { tags, summary: 'List account clients', response: { 200: AccountClientList } } },
    async (request) => ({ clients: await accountClients.list(companyOf(request)) }),
  );

  app.put(
    `${PATH}/:id/capabilities`,
    {
      config: managing,
      schema: {
        tags,
        summary: 'Grant an account client its capabilities',
        description: 'The whole new set, in effect at once. What every client may call stays.',
        params,
        body: CapabilitiesRequest,
        response: { 200: GrantedCapabilities },
      },
    },
    async (request) => accountClients.grant(refOf(request), actorOf(request), request.body.capabilities),
  );

  app.post(
    `${PATH}/:id/regenerate-secret`,
    {
      config: managing,
      schema: {
        tags,
        summary: 'Give an account client a new secret',
        description: 'Tokens of the old secret end.',
        params,
        response: { 200: AccountClientWithSecret },
      },
    },
    async (request, reply) =>
      reply.header(...NO_STORE).send(await accountClients.regenerateSecret(refOf(request), actorOf(request))),
  );

  app.delete(
    `${PATH}/:id`,
    {
      config: managing,
      schema: { tags, summary: 'Delete an account client', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await accountClients.delete(refOf(request), actorOf(request));
      return reply.code(204).send(null);
    },
  );
}
