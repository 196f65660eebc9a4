import type {
  CreateOAuthAppRequest,
  OAuthApp,
  OAuthAppWithSecret,
  UpdateOAuthAppRequest,
} from '@symbolon/protocol';
import type { Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
import type { ServiceKey } from './services.ts';

const APPS = '/api/account/oauth-apps';

/** The company's sign-in apps, oldest first. */
export const appsQuery: Query<readonly OAuthApp[]> = {
  key: portalKeys.oauthApps,
  read: async () => (await portalCall<{ oauth_apps: OAuthApp[] }>('GET', APPS)).oauth_apps,
};

/** @param pair made on this device; without one people can sign in, and the app can ask for no claims */
export const createApp = (
  app: CreateOAuthAppRequest,
  pair: ServiceKey | undefined,
): Promise<OAuthAppWithSecret> =>
  portalCall('POST', APPS, {
    ...app,
    ...(pair && {
      public_key: pair.publicKey,
      encrypted_private_key: pair.encryptedPrivateKey,
      private_key_pem: pair.privateKeyPem,
    }),
  });

export const changeApp = (id: string, app: UpdateOAuthAppRequest): Promise<OAuthApp> =>
  portalCall('PUT', `${APPS}/${id}`, app);

export const rollApp = (id: string): Promise<OAuthAppWithSecret> =>
  portalCall('POST', `${APPS}/${id}/regenerate-secret`);

export const deleteApp = (id: string): Promise<void> => portalCall('DELETE', `${APPS}/${id}`);

/**
 * The page on which people sign in to an app, as a link of the app opens it. What is decided there comes to nothing: the app knows no
 * sign-in with this state.
 */
export function signInPageOf({ client_id, redirect_uris: [redirectUri = ''] }: OAuthApp): string {
  const query = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    mode: 'signin',
    response_mode: 'redirect',
    state: 'preview',
    // Of no verifier that anybody has.
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  });
  return `/auth?${query}`;
}
