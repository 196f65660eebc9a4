import { createSecretKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { answering } from './answering.ts';

/**
 * oidc-provider with its in-memory adapter and nothing switched on that `client_credentials` does not need.
 *
 * @param arguments client id, secret, and the form of its access tokens: `jwt` (signed by HMAC-SHA-256, as ours are) or
 *   `opaque` (nothing is signed; the token is a row of the adapter)
 */
const [clientId = '', secret = '', format = 'jwt'] = process.argv.slice(2);
const API = 'urn:bench:api';
const signingKey = createSecretKey(randomBytes(32));
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const provider = new Provider('http://127.0.0.1', {
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: randomUUID() }] },
  cookies: { keys: [randomUUID()] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: format === 'jwt',
      defaultResource: () => API,
      getResourceServerInfo: () => ({
        scope: '',
        audience: API,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'HS256', key: signingKey } },
      }),
    },
  },
  ttl: { ClientCredentials: 3600 },
});
// As the platform does: it takes a reverse proxy's word for the source address.
provider.proxy = true;
const server = createServer(provider.callback());
server.keepAliveTimeout = 72_000;
server.listen(0, '127.0.0.1', () => {
  answering(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  });
});
