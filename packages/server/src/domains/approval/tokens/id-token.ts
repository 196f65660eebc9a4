import { limits } from '@symbolon/protocol';
import type { SignInApp } from '../../clients/index.ts';
import type { Core } from '../../domain.ts';
import type { SigningKeys } from '../signing-keys/signing-keys.ts';
import type { PlaintextClaims } from './grant.ts';
import type { ExchangeRow } from './store.ts';

interface Deps extends Pick<Core, 'clock' | 'issuer'> {
  readonly signingKeys: SigningKeys;
}

/** Makes id_tokens (OpenID Connect Core 2, 3.1.3.6). */
export class IdTokens {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Says who signed in, when, and for which app. No claim is a list: there are clients that take none.
   * @param claims the readable ones, if the app wants any
   */
  async sign(app: SignInApp, row: ExchangeRow, claims: PlaintextClaims): Promise<string> {
    const now = Math.floor(this.#deps.clock.now() / 1000);
    return this.#deps.signingKeys.sign(app.id_token_alg, {
      iss: this.#deps.issuer(),
      sub: row.share_code,
      aud: app.client_id,
      exp: now + limits.accessTokenSeconds,
      iat: now,
      ...(row.auth_time === null ? {} : { auth_time: Math.floor(row.auth_time / 1000) }),
      ...(row.nonce === null ? {} : { nonce: row.nonce }),
      ...(claims.name === undefined ? {} : { name: claims.name }),
      // The one without the other says nothing.
      ...(claims.email === undefined
        ? {}
        : { email: claims.email, email_verified: claims.email_verified === true }),
    });
  }
}
