import { type Static, Type } from 'typebox';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Core } from '../../domain.ts';
import { KEYS_MAX_AGE_S, type PublicKeys } from './public-keys.ts';

const RegionList = Type.Object({
  regions: Type.Array(
    Type.Object({
      name: Type.String(),
      api_url: Type.String({ description: 'the base for calls about data of this region' }),
    }),
  ),
});

const KeySet = Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) });

const Texts = Type.Array(Type.String());
const Metadata = Type.Object({
  issuer: Type.String(),
  authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  userinfo_endpoint: Type.String(),
  jwks_uri: Type.String(),
  service_documentation: Type.String(),
  scopes_supported: Texts,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  grant_types_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  code_challenge_methods_supported: Texts,
  authorization_response_iss_parameter_supported: Type.Boolean(),
  subject_types_supported: Texts,
  id_token_signing_alg_values_supported: Texts,
  claim_types_supported: Texts,
  claims_supported: Texts,
  claims_parameter_supported: Type.Boolean(),
  prompt_values_supported: Texts,
  request_parameter_supported: Type.Boolean(),
  request_uri_parameter_supported: Type.Boolean(),
});

/** What there is, for RFC 8414 and OpenID Connect Discovery alike. */
function metadataOf(issuer: string): Static<typeof Metadata> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    userinfo_endpoint: `${issuer}/api/oauth/userinfo`,
    jwks_uri: `${issuer}/oauth2/jwks`,
    service_documentation: `${issuer}/explorer`,
    scopes_supported: ['openid', 'profile', 'email'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'EdDSA'],
    claim_types_supported: ['normal'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'name',
      'email',
      'email_verified',
    ],
    claims_parameter_supported: true,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

const tags = ['platform'];

/** What the front door answers about the platform as a whole (wire 5.2). */
export function metadataRoutes(
  app: App,
  { regions, issuer, publicKeys }: Pick<Core, 'regions' | 'issuer'> & { publicKeys: PublicKeys },
): void {
  const route = routesOf(app, { tags: ['authentication'], access: 'open', alwaysJson: true });

  route('GET /api/regions', { summary: 'The regions', tags: tags, ok: RegionList }, () => ({
    regions: regions.names.map((name) => ({ name, api_url: regions.apiUrl(name) ?? '' })),
  }));
  for (const [path, title] of [
    ['/.well-known/oauth-authorization-server', 'Authorization server metadata (RFC 8414).'],
    ['/.well-known/openid-configuration', 'The same document, as OpenID Connect Discovery wants it.'],
  ] as const) {
    route(
      `GET ${path}`,
      {
        summary: 'What sign-ins and the token route offer',
        description: title,
        ignoresQuery: true,
        ok: Metadata,
      },
      () => metadataOf(issuer()),
    );
  }
  route(
    'GET /oauth2/jwks',
    {
      summary: 'Keys that verify id_tokens',
      description:
        'A JSON Web Key Set (RFC 7517) with the keys of all regions. Access tokens are opaque to their clients.',
      ignoresQuery: true,
      ok: KeySet,
    },
    async (_request, reply) => {
      const keys = await publicKeys.published();
      // Without a key there will soon be one.
      if (keys.length > 0) reply.header('cache-control', `public, max-age=${KEYS_MAX_AGE_S}`);
      return { keys: keys.map((key) => ({ ...key })) };
    },
  );
}
