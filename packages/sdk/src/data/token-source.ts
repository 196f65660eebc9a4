import type { TokenResponse } from '@symbolon/protocol';
import { followedBase } from '@symbolon/protocol/constants';
import type { Authorization, Session } from '../http/api.ts';
import { TransportError } from '../http/errors.ts';
import { jsonOf, type Transport } from '../http/transport.ts';

export type ClientCredentials = { clientId: string; clientSecret: string };

/**
 * Tokens of a registered client. They are always requested at the front door, which knows the region after a move. A
 * token is replaced shortly before it expires, and simultaneous callers share one request (wire 5.1, 5.2).
 */
export class TokenSource implements Session {
  readonly #transport: Transport;
  readonly #frontDoor: string;
  readonly #credentials: ClientCredentials;
  #held: Held | undefined;
  #coming: Promise<Held> | undefined;

  constructor(transport: Transport, frontDoor: string, credentials: ClientCredentials) {
    this.#transport = transport;
    this.#frontDoor = frontDoor;
    this.#credentials = credentials;
  }

  async authorize(signal?: AbortSignal): Promise<Authorization> {
    if (this.#held && this.#transport.runtime.now() < this.#held.replaceAt) return this.#held;
    this.#coming ??= this.#request().finally(() => {
      this.#coming = undefined;
    });
    return orAborted(this.#coming, signal);
  }

  async renew(rejected: Authorization, signal?: AbortSignal): Promise<Authorization> {
    if (this.#held?.token === rejected.token) this.#held = undefined;
    return this.authorize(signal);
  }

  rebase(misdirected: Authorization, apiUrl: unknown): Authorization | undefined {
    const base = followedBase(this.#frontDoor, apiUrl);
    if (base === undefined) return undefined;
    if (this.#held?.token === misdirected.token) this.#held = { ...this.#held, base };
    return { token: misdirected.token, base };
  }

  async #request(): Promise<Held> {
    const asked = this.#transport.runtime.now();
    const { clientId, clientSecret } = this.#credentials;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    // Requesting a token twice does no harm, although it is a POST.
    const call = { method: 'POST', path: '/oauth2/token', form, idempotent: true } as const;
    const answer = jsonOf(await this.#transport.send(this.#frontDoor, call)) as
      | Partial<TokenResponse>
      | undefined;
    const lifeMs = Number(answer?.expires_in) * 1000;
    if (typeof answer?.access_token !== 'string' || !(lifeMs > 0)) {
      throw new TransportError({
        errorKey: 'sdk.unexpected_answer',
        message: 'The token answer has no token.',
      });
    }
    const base =
      answer.api_url === undefined ? this.#frontDoor : followedBase(this.#frontDoor, answer.api_url);
    if (base === undefined) {
      const message = 'The token answer names an api_url that is not safe to follow.';
      throw new TransportError({ errorKey: 'sdk.api_url_refused', message });
    }
    const replaceAt = asked + lifeMs - Math.min(60_000, lifeMs / 10);
    this.#held = { token: answer.access_token, base, replaceAt };
    return this.#held;
  }
}

/** All callers share the token request, so the signal of one caller ends only its own wait. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

type Held = Authorization & { replaceAt: number };
