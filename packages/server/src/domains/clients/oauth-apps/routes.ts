import {
  CreateOAuthAppRequest,
  OAuthApp,
  OAuthAppList,
  OAuthAppWithSecret,
  UpdateOAuthAppRequest,
} from '@symbolon/protocol';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { OAuthAppRef, OAuthApps } from './oauth-apps.ts';

const PATH = '/api/account/oauth-apps';
const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, description: 'client_id' }) });
const access = ['portal', 'account_client'] as const;
const config = { access } as const;
const named = {
  access,
  invalidKeys: {
    '/name': 'oauth_apps.name_invalid',
    '/redirect_uris': 'oauth_apps.redirect_uri_invalid',
    '/public_key': 'oauth_apps.public_key_invalid',
  },
} as const;
const tags = ['sign-in apps'];
const NO_STORE = ['cache-control', 'no-store'] as const;

export function oauthAppRoutes(app: App, { oauthApps }: { oauthApps: OAuthApps }): void {
  const refOf = (
    request: FastifyRequest<{ Params: { id: string } }> | { params: { id: string } },
  ): OAuthAppRef => ({
    companyId: companyOf(request as FastifyRequest),
    clientId: request.params.id,
  });

  app.post(
    PATH,
    {
      config: named,
      schema: {
        tags,
        summary: 'Register a sign-in app',
        description: 'Claims are delivered encrypted to public_key unless claims_delivery says plaintext.',
        body: CreateOAuthAppRequest,
        response: { 201: OAuthAppWithSecret },
      },
    },
    async (request, reply) => {
      const made = await oauthApps.create(companyOf(request), actorOf(request), request.body);
      return reply
        .code(201)
        .header(...NO_STORE)
        .send(made);
    },
  );

  app.get(
    PATH,
    { config, schema: { tags, summary: 'List sign-in apps', response: { 200: OAuthAppList } } },
    async (request) => ({ oauth_apps: await oauthApps.list(companyOf(request)) }),
  );

  app.get(
    `${PATH}/:id`,
    { config, schema: { tags, summary: 'Read a sign-in app', params, response: { 200: OAuthApp } } },
    async (request) => oauthApps.get(refOf(request)),
  );

  app.put(
    `${PATH}/:id`,
    {
      config: named,
      schema: {
        tags,
        summary: 'Replace the redirect URIs of a sign-in app',
        description: 'The whole new set, matched exactly; name, claims_delivery and public_key if sent.',
        params,
        body: UpdateOAuthAppRequest,
        response: { 200: OAuthApp },
      },
    },
    async (request) => oauthApps.update(refOf(request), actorOf(request), request.body),
  );

  app.post(
    `${PATH}/:id/regenerate-secret`,
    {
      config,
      schema: {
        tags,
        summary: 'Give a sign-in app a new secret',
        params,
        response: { 200: OAuthAppWithSecret },
      },
    },
    async (request, reply) =>
      reply.header(...NO_STORE).send(await oauthApps.regenerateSecret(refOf(request), actorOf(request))),
  );

  app.delete(
    `${PATH}/:id`,
    { config, schema: { tags, summary: 'Delete a sign-in app', params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await oauthApps.delete(refOf(request), actorOf(request));
      return reply.code(204).send(null);
    },
  );
}
