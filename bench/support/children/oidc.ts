import { createSecretKey, generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { childArguments, serving } from './answering.ts';

/**
 * oidc-provider with nothing switched on that its grant does not need.
 *
 * @param arguments client id, secret, and what it gives:
 *   `jwt`: access tokens for `client_credentials`, signed by HMAC-SHA-256, as ours are; `opaque`: such tokens that are rows of
 *   its adapter, of which nothing is signed; `codes`: id_tokens and access tokens for codes, as the platform does. With
 *   `codes` follow the redirect URI and the algorithm of id_tokens
 */
const [clientId = '', secret = '', gives = 'jwt', redirectUri = '', algorithm = 'ES256'] = childArguments();
const codes = gives === 'codes';
const API = 'urn:bench:api';
const signingKey = createSecretKey(randomBytes(32));

/** Rows in a map, of which nothing is written to a disk; oidc-provider's own in memory forgets all but the last 1,000. */
class MapAdapter {
  static readonly rows = new Map<string, Record<string, unknown>>();
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, payload: Record<string, unknown>): Promise<void> {
    MapAdapter.rows.set(`${this.#model}:${id}`, payload);
  }

  async find(id: string): Promise<Record<string, unknown> | undefined> {
    return MapAdapter.rows.get(`${this.#model}:${id}`);
  }

  async consume(id: string): Promise<void> {
    const row = MapAdapter.rows.get(`${this.#model}:${id}`);
    if (row !== undefined) row.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    MapAdapter.rows.delete(`${this.#model}:${id}`);
  }

  async revokeByGrantId(): Promise<void> {}
}

const provider = new Provider('http://127.0.0.1', {
  ...(codes && {
    adapter: MapAdapter,
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
    pkce: { required: () => true },
  }),
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      grant_types: [codes ? 'authorization_code' : 'client_credentials'],
      redirect_uris: codes ? [redirectUri] : [],
      response_types: codes ? ['code'] : [],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: algorithm,
    },
  ],
  jwks: {
    keys: [{ ...keyFor(algorithm).export({ format: 'jwk' }), alg: algorithm, use: 'sig', kid: randomUUID() }],
  },
  cookies: { keys: [randomUUID()] },
  features: {
    clientCredentials: { enabled: !codes },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: gives !== 'opaque',
      defaultResource: () => API,
      useGrantedResource: () => codes,
      getResourceServerInfo: () => ({
        scope: codes ? 'read' : '',
        audience: API,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'HS256', key: signingKey } },
      }),
    },
  },
  ttl: { AccessToken: 3600, AuthorizationCode: 600, ClientCredentials: 3600, Grant: 3600, IdToken: 3600 },
});
// As the platform does: it takes a reverse proxy's word for the source address.
provider.proxy = true;

await serving(
  createServer(provider.callback()),
  async ({ count, challenge }: { count: number; challenge: string }) => {
    MapAdapter.rows.clear();
    return mint(count, challenge);
  },
);

function keyFor(name: string): KeyObject {
  if (name === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  if (name === 'EdDSA') return generateKeyPairSync('ed25519').privateKey;
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

async function mint(count: number, challenge: string): Promise<string[]> {
  const client = await provider.Client.find(clientId);
  const codes: string[] = [];
  for (let n = 0; n < count; n++) {
    const grant = new provider.Grant({ accountId: 'ABC234', clientId });
    grant.addOIDCScope('openid');
    grant.addResourceScope(API, 'read');
    const grantId = await grant.save();
    const code = new provider.AuthorizationCode({
      accountId: 'ABC234',
      client,
      grantId,
      redirectUri,
      scope: 'openid read',
      resource: API,
      nonce: `nonce-${n}`,
      codeChallenge: challenge,
      codeChallengeMethod: 'S256',
      authTime: Math.floor(Date.now() / 1000),
      gty: 'authorization_code',
    });
    codes.push(await code.save());
  }
  return codes;
}
