import { followedBase, normalizeBase } from '@symbolon/protocol/constants';
import type { Authorization, Session } from './api.ts';
import { AuthenticationError, ConfigurationError } from './errors.ts';

/** A session with the token of a sign-in. `renew`, when it is given and can, signs in again. */
export class SignedInSession implements Session {
  readonly #first: string;
  #base: string;
  readonly #renew: (() => Promise<string | undefined>) | undefined;
  #token: string | undefined;
  #renewal: Promise<string | undefined> | undefined;

  constructor(base: string, token: string, renew?: () => Promise<string | undefined>) {
    this.#first = base;
    this.#base = base;
    this.#token = token;
    this.#renew = renew;
  }

  async authorize(): Promise<Authorization> {
    if (this.#token !== undefined) return { token: this.#token, base: this.#base };
    const message = 'This client has signed out. Sign in again.';
    throw new AuthenticationError({ errorKey: 'sdk.signed_out', message });
  }

  async renew(rejected: Authorization): Promise<Authorization | undefined> {
    if (!this.#renew || this.#token === undefined) return undefined;
    if (this.#token === rejected.token) {
      this.#renewal ??= this.#renew().finally(() => {
        this.#renewal = undefined;
      });
      const token = await this.#renewal;
      if (token === undefined) return undefined;
      this.#token = token;
    }
    return { token: this.#token, base: this.#base };
  }

  /** The session continues in the region that the account has moved to. */
  rebase(misdirected: Authorization, apiUrl: unknown): Authorization | undefined {
    const base = followedBase(this.#first, apiUrl);
    if (base === undefined) return undefined;
    this.#base = base;
    return { token: misdirected.token, base };
  }

  /** Replaces the token, for example after a change of password; `undefined` ends the session. */
  setToken(token: string | undefined): void {
    this.#token = token;
  }
}

/**
 * The base URL without trailing slash.
 *
 * @throws ConfigurationError `sdk.configuration`
 */
export function checkedBase(baseUrl: string): string {
  const base = normalizeBase(baseUrl);
  if (base !== undefined) return base;
  const message = 'The address of the platform is not an absolute http or https URL.';
  throw new ConfigurationError({ errorKey: 'sdk.configuration', message });
}
