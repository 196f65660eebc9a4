import {
  CreateOAuthAppRequest,
  OAuthApp,
  OAuthAppList,
  OAuthAppPrivateKey,
  OAuthAppWithSecret,
  ReplaceOAuthAppKeyRequest,
  UpdateOAuthAppRequest,
} from '@symbolon/protocol';
import { actorOf, companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import { clientActOf, clientParams } from '../data-clients/client-act.ts';
import type { OAuthAppKeys } from './app-key.ts';
import type { OAuthApps } from './oauth-apps.ts';

const PATH = '/api/account/oauth-apps';

const named = {
  invalidKeys: {
    '/name': 'oauth_apps.name_invalid',
    '/redirect_uris': 'oauth_apps.redirect_uri_invalid',
    '/public_key': 'oauth_apps.public_key_invalid',
    '/encrypted_private_key': 'oauth_apps.encrypted_private_key_invalid',
    '/private_key_pem': 'oauth_apps.private_key_pem_invalid',
    '/service_id': 'oauth_apps.service_invalid',
  },
} as const;

interface Rules {
  readonly oauthApps: OAuthApps;
  readonly keys: OAuthAppKeys;
  /** The name of the header that a proof of presence comes in, in lower case. */
  readonly proofHeader: string;
}

export function oauthAppRoutes(app: App, rules: Rules): void {
  const route = routesOf(app, { tags: ['sign-in apps'], access: ['portal', 'account_client'] });
  recordRoutes(route, rules);
  keyRoutes(route, rules);
}

type Route = ReturnType<typeof routesOf>;

function recordRoutes(route: Route, { oauthApps }: Rules): void {
  route(
    `POST ${PATH}`,
    {
      errors: [
        'oauth_apps.claim_config_invalid',
        'oauth_apps.claim_config_plugin_invalid',
        'oauth_apps.encrypted_private_key_invalid',
        'oauth_apps.limit_reached',
        'oauth_apps.name_invalid',
        'oauth_apps.private_key_pem_invalid',
        'oauth_apps.public_key_invalid',
        'oauth_apps.redirect_uri_invalid',
        'oauth_apps.service_invalid',
      ],
      summary: 'Register a sign-in app',
      description:
        'The key pair is made by the caller, by the recipe of services. Without one, people can sign in and enrol; claims need it.',
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
    { errors: ['oauth_apps.not_found'], summary: 'Read a sign-in app', params: clientParams, ok: OAuthApp },
    (request) => oauthApps.get(clientActOf(request)),
  );

  route(
    `PUT ${PATH}/:id`,
    {
      errors: [
        'oauth_apps.claim_config_invalid',
        'oauth_apps.claim_config_plugin_invalid',
        'oauth_apps.encrypted_private_key_invalid',
        'oauth_apps.name_invalid',
        'oauth_apps.not_found',
        'oauth_apps.private_key_pem_invalid',
        'oauth_apps.public_key_invalid',
        'oauth_apps.redirect_uri_invalid',
        'oauth_apps.service_invalid',
      ],
      summary: 'Replace the redirect URIs of a sign-in app',
      description: 'The whole new set, matched exactly; of the other members those that are sent.',
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
      errors: ['oauth_apps.not_found', 'oauth_apps.secret_unsupported'],
      summary: 'Give a sign-in app a new secret',
      params: clientParams,
      ok: OAuthAppWithSecret,
    },
    (request) => oauthApps.regenerateSecret(clientActOf(request)),
  );

  route(
    `DELETE ${PATH}/:id`,
    { errors: ['oauth_apps.not_found'], summary: 'Delete a sign-in app', params: clientParams },
    (request) => oauthApps.delete(clientActOf(request)),
  );
}

function keyRoutes(route: Route, { keys, proofHeader }: Rules): void {
  route(
    `PUT ${PATH}/:id/key`,
    {
      errors: [
        'oauth_apps.encrypted_private_key_invalid',
        'oauth_apps.name_invalid',
        'oauth_apps.not_found',
        'oauth_apps.private_key_pem_invalid',
        'oauth_apps.public_key_invalid',
        'oauth_apps.redirect_uri_invalid',
        'oauth_apps.service_invalid',
      ],
      summary: 'Give a sign-in app a key pair',
      description: 'Claims are sealed to it from the next sign-in on.',
      ...named,
      role: 'admin',
      params: clientParams,
      body: ReplaceOAuthAppKeyRequest,
      ok: OAuthApp,
    },
    (request) => keys.replace(clientActOf(request), request.body),
  );

  route(
    `GET ${PATH}/:id/private-key`,
    {
      errors: ['auth.proof_required', 'oauth_apps.not_found', 'oauth_apps.private_key_missing'],
      summary: 'The wrapped private key of a sign-in app',
      description: 'A portal session sends a proof of POST /api/account/proofs for this request.',
      role: 'developer',
      params: clientParams,
      ok: OAuthAppPrivateKey,
    },
    (request) => {
      const proof = request.headers[proofHeader];
      return keys.privateKey({
        act: clientActOf(request),
        caller: request.principal?.kind === 'portal' ? request.principal : undefined,
        request: `GET ${request.url.split('?', 1)[0]}`,
        proof: typeof proof === 'string' ? proof : undefined,
      });
    },
  );
}
