import type { TokenResponse } from '@symbolon/protocol';
import type { Authorization, Session } from '../http/api.ts';
import { TransportError } from '../http/errors.ts';
import { followedBase } from '../http/home.ts';
import { jsonOf, type Transport } from '../http/transport.ts';

export type ClientCredentials = { clientId: string; clientSecret: string };

/**
 * Tokens of a registered client: always requested at the front door, so that a region move is followed; kept for
 * their `expires_in`, replaced a little early; one request in flight however many callers wait (wire 5.1, 5.2).
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
    // Asking twice for a token does no harm, although it is a POST.
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

/** The token request belongs to every caller, so one caller's signal only ends that caller's waiting. */
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
