import { Type } from 'typebox';
import type { App } from '../../../http/app.ts';
import { internalRoutesOf, routesOf } from '../../../http/routes.ts';
import { Name, Owner } from './directory-routes.ts';
import type { Names } from './names.ts';
import type { Regions } from './regions.ts';

const RegionList = Type.Object({
  regions: Type.Array(
    Type.Object({
      name: Type.String(),
      api_url: Type.String({ description: 'the base for calls about data of this region' }),
    }),
  ),
});

const KeySet = Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) });

const Metadata = Type.Object({
  issuer: Type.String(),
  token_endpoint: Type.String(),
  jwks_uri: Type.String(),
  service_documentation: Type.String(),
  response_types_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
});

const tags = ['platform'];

/** What the front door answers about the platform as a whole (wire 5.2). */
export function frontDoorRoutes(
  app: App,
  { regions, issuer }: { regions: Regions; issuer: () => string },
): void {
  const route = routesOf(app, { tags: ['authentication'], access: 'open', alwaysJson: true });

  route('GET /api/regions', { summary: 'The regions', tags: tags, ok: RegionList }, () => ({
    regions: regions.names.map((name) => ({ name, api_url: regions.apiUrl(name) ?? '' })),
  }));
  route(
    'GET /.well-known/oauth-authorization-server',
    {
      summary: 'What the token route offers',
      description: 'Authorization server metadata (RFC 8414).',
      ok: Metadata,
    },
    () => ({
      issuer: issuer(),
      token_endpoint: `${issuer()}/oauth2/token`,
      jwks_uri: `${issuer()}/oauth2/jwks`,
      service_documentation: `${issuer()}/explorer`,
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    }),
  );
  route(
    'GET /oauth2/jwks',
    {
      summary: 'Keys that verify tokens meant for others',
      description:
        'A JSON Web Key Set (RFC 7517). Access tokens are opaque to whoever carries them, so no key of theirs is here.',
      ok: KeySet,
    },
    () => ({ keys: [] }),
  );
}

/** What the front door asks a region. */
export function homeRoutes(
  app: App,
  { names, isSession }: { names: Names; isSession: (token: string) => Promise<boolean> },
): void {
  const route = internalRoutesOf(app);

  route(
    'POST /internal/sessions/known',
    { body: Type.Object({ token: Type.String({ maxLength: 8192 }) }) },
    async (request) => ({ home: await isSession(request.body.token) }),
  );
  route(
    'POST /internal/names/held',
    { body: Type.Object({ owner: Owner, names: Type.Array(Name, { maxItems: 200 }) }) },
    async (request) => ({ held: await names.held(request.body.owner, request.body.names) }),
  );
}
