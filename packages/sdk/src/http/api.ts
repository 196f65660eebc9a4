import { AuthenticationError, RegionError } from './errors.ts';
import {
  type Answer,
  type Call,
  jsonOf,
  type OpenAnswer,
  type OpenCall,
  type Transport,
} from './transport.ts';

/** A token and the base URL it is valid for. */
export type Authorization = { token: string; base: string };

/** Where a client's tokens come from. */
export type Session = {
  /** The current authorization; fetches one when there is none. */
  authorize: (signal?: AbortSignal) => Promise<Authorization>;
  /** A new authorization after a 401 for the given one; `undefined` when this session cannot renew itself. */
  renew: (rejected: Authorization, signal?: AbortSignal) => Promise<Authorization | undefined>;
  /** The same token for the base URL that a 421 named; `undefined` when the client must not follow it. */
  rebase?: (misdirected: Authorization, apiUrl: unknown) => Authorization | undefined;
};

/**
 * Makes calls with a session's authorization. A 401 is retried exactly once with a new token, a 421
 * `region.rebase_required` exactly once at the base URL in its body (wire 5.1, 5.2).
 */
export class Api {
  readonly transport: Transport;
  readonly #session: Session;

  constructor(transport: Transport, session: Session) {
    this.transport = transport;
    this.#session = session;
  }

  /** The JSON of the response. The caller names its type, which comes from the protocol's schemas. */
  async json<T>(call: Call): Promise<T> {
    return jsonOf(await this.send(call)) as T;
  }

  /** Makes a call and ignores the body of the response. */
  async done(call: Call): Promise<void> {
    await this.send(call);
  }

  send(call: Call): Promise<Answer> {
    return this.#authorized(call.signal, ({ base, token }) => this.transport.send(base, call, token));
  }

  /** A response that is read as it arrives. Nothing but the authorization is repeated. */
  open(call: OpenCall): Promise<OpenAnswer> {
    return this.#authorized(call.signal, ({ base, token }) => this.transport.open(base, call, token));
  }

  async #authorized<T>(
    signal: AbortSignal | undefined,
    send: (authorization: Authorization) => Promise<T>,
  ): Promise<T> {
    let authorization = await this.#session.authorize(signal);
    let renewed = false;
    let rebased = false;
    for (;;) {
      try {
        return await send(authorization);
      } catch (error) {
        let next: Authorization | undefined;
        if (isStale(error) && !renewed) {
          renewed = true;
          next = await this.#session.renew(authorization, signal);
        } else if (error instanceof RegionError && error.errorKey === 'region.rebase_required' && !rebased) {
          rebased = true;
          next = this.#session.rebase?.(authorization, error.details.api_url);
        }
        if (!next) throw error;
        authorization = next;
      }
    }
  }
}

/** A wrong password or code is a 401 too: a new token does not help, and a repeated call would count as a second try. */
function isStale(error: unknown): boolean {
  return error instanceof AuthenticationError && !PROOFS_REFUSED.has(error.errorKey);
}

const PROOFS_REFUSED = new Set([
  'auth.credentials_invalid',
  'auth.two_factor_required',
  'auth.second_factor_invalid',
  'auth.passkey_invalid',
  'auth.ticket_invalid',
  'account.code_invalid',
  'account.recovery_invalid',
]);

/** A path of fixed parts and encoded values: path`/api/services/${id}`. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));
}
