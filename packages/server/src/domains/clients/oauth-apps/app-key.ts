import type { OAuthApp, OAuthAppPrivateKey, ReplaceOAuthAppKeyRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { ActProofs, PortalPrincipal } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import { type ClientAct, recordClientAct } from '../data-clients/client-act.ts';
import { checkedKey } from './key-columns.ts';
import type { OAuthApps } from './oauth-apps.ts';
import { requireApp } from './store.ts';

/** A call for the private key of an app. */
export interface AppKeyReading {
  readonly act: ClientAct;
  /** The portal session that calls; undefined for an account client. */
  readonly caller: PortalPrincipal | undefined;
  /** Method and path of the call. */
  readonly request: string;
  readonly proof: string | undefined;
}

interface Deps extends Pick<Core, 'database'> {
  readonly oauthApps: OAuthApps;
  readonly audit: Audit;
  readonly actProofs: ActProofs;
}

/** The key pairs of sign-in apps: what people answer is sealed to them. */
export class OAuthAppKeys {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Puts a new key pair in place of the present one. Claims are sealed again at every sign-in, so no former key is kept.
   * @throws {PlatformError} oauth_apps.not_found, and what `checkedKey` throws
   */
  async replace(act: ClientAct, request: ReplaceOAuthAppKeyRequest): Promise<OAuthApp> {
    const key = await checkedKey(request);
    return this.#deps.oauthApps.change(act, 'oauth_app.key_replaced', async (_writer, before) => ({
      ...before,
      ...key,
    }));
  }

  /**
   * The wrapped private key as it was sent. A portal session proves presence for this very request; an account
   * client was given this route.
   * @throws {PlatformError} oauth_apps.not_found, oauth_apps.private_key_missing, auth.proof_required
   */
  privateKey({ act, caller, request, proof }: AppKeyReading): Promise<OAuthAppPrivateKey> {
    return this.#deps.database.write(async (writer) => {
      const row = await requireApp(writer, act);
      if (row.public_key === null || row.public_key_sha256 === null || row.encrypted_private_key === null) {
        throw new PlatformError('oauth_apps.private_key_missing');
      }
      if (caller !== undefined) await this.#deps.actProofs.take(writer, caller, request, proof);
      await recordClientAct(this.#deps.audit, writer, act, 'oauth_app.key_opened', { request });
      return {
        client_id: row.client_id,
        public_key: row.public_key,
        public_key_sha256: row.public_key_sha256,
        encrypted_private_key: JSON.parse(
          row.encrypted_private_key,
        ) as OAuthAppPrivateKey['encrypted_private_key'],
        private_key_pem: row.private_key_pem,
      };
    });
  }
}
