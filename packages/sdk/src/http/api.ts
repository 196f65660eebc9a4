import { AuthenticationError, RegionError } from './errors.ts';
import { type Answer, type Call, jsonOf, type Transport } from './transport.ts';

/** A token and the base it is good for. */
export type Authorization = { token: string; base: string };

/** Where a client's tokens come from. */
export type Session = {
  /** The present authorization; fetches one when there is none. */
  authorize: (signal?: AbortSignal) => Promise<Authorization>;
  /** A fresh one after the given one was answered 401; `undefined` when this session cannot renew itself. */
  renew: (rejected: Authorization, signal?: AbortSignal) => Promise<Authorization | undefined>;
  /** The same token for the base that a 421 named; `undefined` when that base must not be followed. */
  rebase?: (misdirected: Authorization, apiUrl: unknown) => Authorization | undefined;
};

/**
 * Calls with a session's authorization. A 401 is retried exactly once with a fresh token, a 421
 * `region.rebase_required` exactly once at the base its body names (wire 5.1, 5.2).
 */
export class Api {
  readonly transport: Transport;
  readonly #session: Session;

  constructor(transport: Transport, session: Session) {
    this.transport = transport;
    this.#session = session;
  }

  /** The JSON of the answer. The caller names its type, derived from the protocol's schemas. */
  async json<T>(call: Call): Promise<T> {
    return jsonOf(await this.send(call)) as T;
  }

  /** A call whose answer has no body worth reading. */
  async done(call: Call): Promise<void> {
    await this.send(call);
  }

  async send(call: Call): Promise<Answer> {
    let authorization = await this.#session.authorize(call.signal);
    let renewed = false;
    let rebased = false;
    for (;;) {
      try {
        return await this.transport.send(authorization.base, call, authorization.token);
      } catch (error) {
        let next: Authorization | undefined;
        if (isStale(error) && !renewed) {
          renewed = true;
          next = await this.#session.renew(authorization, call.signal);
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

/** A wrong password is a 401 too, but no fresh token makes it right. */
function isStale(error: unknown): boolean {
  return error instanceof AuthenticationError && error.errorKey !== 'auth.credentials_invalid';
}

/** A path of fixed parts and encoded values: path`/api/services/${id}`. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));
}
