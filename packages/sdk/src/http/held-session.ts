import type { Authorization, Session } from './api.ts';
import { AuthenticationError, ConfigurationError } from './errors.ts';
import { followedBase } from './home.ts';
import { normalizeBase } from './transport.ts';

/** A session whose token was handed out by signing in, renewed by the function given, if any. */
export class HeldSession implements Session {
  readonly #first: string;
  #base: string;
  readonly #renew: (() => Promise<string>) | undefined;
  #token: string | undefined;
  #coming: Promise<string> | undefined;

  constructor(base: string, token: string, renew?: () => Promise<string>) {
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
      this.#coming ??= this.#renew().finally(() => {
        this.#coming = undefined;
      });
      this.#token = await this.#coming;
    }
    return { token: this.#token, base: this.#base };
  }

  /** Whoever moved to another region is followed there. */
  rebase(misdirected: Authorization, apiUrl: unknown): Authorization | undefined {
    const base = followedBase(this.#first, apiUrl);
    if (base === undefined) return undefined;
    this.#base = base;
    return { token: misdirected.token, base };
  }

  /** Takes a new token, such as one that came with a new password; `undefined` ends the session. */
  hold(token: string | undefined): void {
    this.#token = token;
  }
}

/**
 * The base without trailing slash.
 *
 * @throws ConfigurationError `sdk.configuration`
 */
export function checkedBase(baseUrl: string): string {
  const base = normalizeBase(baseUrl);
  if (base !== undefined) return base;
  const message = 'The address of the platform is not an absolute http or https URL.';
  throw new ConfigurationError({ errorKey: 'sdk.configuration', message });
}
