import { createSecretKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { answering } from './answering.ts';

/**
 * oidc-provider that exchanges codes as the platform does: a signed id_token and an access token signed by HMAC-SHA-256. Its
 * rows are in a map: nothing is written to a disk, which the platform does.
 *
 * @param arguments client id, secret, redirect URI, algorithm of id_tokens
 */
const [clientId = '', secret = '', redirectUri = '', algorithm = 'RS256'] = process.argv.slice(2);
const API = 'urn:bench:api';
const signingKey = createSecretKey(randomBytes(32));
const { privateKey } =
  algorithm === 'RS256'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ed25519');

/** Like its own in memory, which forgets all but the last 1,000 rows. */
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
  adapter: MapAdapter,
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      grant_types: ['authorization_code'],
      redirect_uris: [redirectUri],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: algorithm,
    },
  ],
  jwks: {
    keys: [{ ...privateKey.export({ format: 'jwk' }), alg: algorithm, use: 'sig', kid: randomUUID() }],
  },
  cookies: { keys: [randomUUID()] },
  findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => API,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'read',
        audience: API,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'HS256', key: signingKey } },
      }),
    },
  },
  ttl: { AccessToken: 3600, AuthorizationCode: 600, IdToken: 3600, Grant: 3600 },
});
provider.proxy = true;
const server = createServer(provider.callback());
server.keepAliveTimeout = 72_000;

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

server.listen(0, '127.0.0.1', () => {
  answering(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    answer: async ({ count, challenge }: { count: number; challenge: string }) => {
      MapAdapter.rows.clear();
      return mint(count, challenge);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  });
});
