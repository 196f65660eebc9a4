import {
  CreateOAuthAppRequest,
  OAuthApp,
  OAuthAppList,
  OAuthAppWithSecret,
  UpdateOAuthAppRequest,
} from '@symbolon/protocol';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import { clientActOf, clientParams } from '../data-clients/index.ts';
import type { OAuthApps } from './oauth-apps.ts';

const PATH = '/api/account/oauth-apps';

const named = {
  invalidKeys: {
    '/name': 'oauth_apps.name_invalid',
    '/redirect_uris': 'oauth_apps.redirect_uri_invalid',
    '/public_key': 'oauth_apps.public_key_invalid',
  },
} as const;

export function oauthAppRoutes(app: App, { oauthApps }: { oauthApps: OAuthApps }): void {
  const route = routesOf(app, { tags: ['sign-in apps'], access: ['portal', 'account_client'] });

  route(
    `POST ${PATH}`,
    {
      summary: 'Register a sign-in app',
      description: 'Claims are delivered encrypted to public_key unless claims_delivery says plaintext.',
      ...named,
      body: CreateOAuthAppRequest,
      created: OAuthAppWithSecret,
    },
    (request) => oauthApps.create(companyOf(request), actorOf(request), request.body),
  );

  route(`GET ${PATH}`, { summary: 'List sign-in apps', ok: OAuthAppList }, async (request) => ({
    oauth_apps: await oauthApps.list(companyOf(request)),
  }));

  route(
    `GET ${PATH}/:id`,
    {
      summary: 'Read a sign-in app',
      params: clientParams,
      ok: OAuthApp,
    },
    (request) => oauthApps.get(clientActOf(request)),
  );

  route(
    `PUT ${PATH}/:id`,
    {
      summary: 'Replace the redirect URIs of a sign-in app',
      description: 'The whole new set, matched exactly; name, claims_delivery and public_key if sent.',
      ...named,
      params: clientParams,
      body: UpdateOAuthAppRequest,
      ok: OAuthApp,
    },
    (request) => oauthApps.update(clientActOf(request), request.body),
  );

  route(
    `POST ${PATH}/:id/regenerate-secret`,
    {
      summary: 'Give a sign-in app a new secret',
      params: clientParams,
      ok: OAuthAppWithSecret,
    },
    (request) => oauthApps.regenerateSecret(clientActOf(request)),
  );

  route(
    `DELETE ${PATH}/:id`,
    {
      summary: 'Delete a sign-in app',
      params: clientParams,
    },
    (request) => oauthApps.delete(clientActOf(request)),
  );
}
