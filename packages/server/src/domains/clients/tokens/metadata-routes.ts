import { Type } from 'typebox';
import type { Regions } from '../../../core/regions.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';

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
export function metadataRoutes(
  app: App,
  { regions, urlFor }: { regions: Regions; urlFor: (host: string | undefined) => string },
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
      ignoresQuery: true,
      ok: Metadata,
    },
    ({ headers }) => {
      const issuer = urlFor(headers.host);
      return {
        issuer,
        token_endpoint: `${issuer}/oauth2/token`,
        jwks_uri: `${issuer}/oauth2/jwks`,
        service_documentation: `${issuer}/explorer`,
        response_types_supported: [],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      };
    },
  );
  route(
    'GET /oauth2/jwks',
    {
      summary: 'Keys that verify tokens meant for others',
      description:
        'A JSON Web Key Set (RFC 7517). Access tokens are opaque to their clients, so it has no keys for them.',
      ignoresQuery: true,
      ok: KeySet,
    },
    () => ({ keys: [] }),
  );
}
