import { PlatformError } from '../../../core/errors.ts';
import type { SignInApps } from '../../clients/index.ts';
import { DeliverOnce, type OnceDeps, type Outcome, type PollAnswer } from '../one-time/deliver-once.ts';
import type { ConsentRequests } from './requests.ts';
import { isVouched, stateSecret } from './requests.ts';
import type { ResultLimits } from './result-limits.ts';
import type { ConsentRequestRow } from './tables.ts';

/** The result for the screen that waits for a detached request; undefined while it is undecided and it has nothing to show. */
export type DetachedResult =
  | { readonly status: 'pending'; readonly digits: string }
  | { readonly code: string; readonly state: string }
  | { readonly enrolled: true; readonly state: string };

export interface ResultRequest {
  readonly clientId: string;
  readonly secret: string | undefined;
  readonly state: string;
  /** The caller's address. */
  readonly source: string;
}

interface Deps extends OnceDeps {
  readonly requests: ConsentRequests;
  readonly signInApps: SignInApps;
  readonly limits: ResultLimits;
  readonly decrypt: (row: ConsentRequestRow, result: string) => string;
}

/** Results of detached requests: a screen fetches what a person decided on another one (wire 10.4). */
export class DetachedResults {
  readonly #deps: Deps;
  readonly #once: DeliverOnce;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#once = new DeliverOnce(
      deps,
      'consent_requests',
      (retryAfter, cause) =>
        new PlatformError('db.unavailable', { headers: { 'retry-after': retryAfter }, cause }),
    );
  }

  /**
   * An unknown state answers "pending" and is not stored: the person may not have opened the page yet.
   * @throws {PlatformError} invalid_client, oauth.access_denied, oauth.result_expired, db.unavailable, rate_limit.exceeded,
   *   rate_limit.unavailable
   */
  async poll({
    clientId,
    secret,
    state,
    source,
  }: ResultRequest): Promise<PollAnswer<DetachedResult | undefined>> {
    const { limits, requests, signInApps } = this.#deps;
    const app = await signInApps.authenticate(clientId, secret).catch(async (error: unknown) => {
      await limits.countAddress(source);
      throw error;
    });
    const find = () => requests.byState(app.client_id, stateSecret(app.client_id, state));
    const row = await find();
    if (row === undefined || this.#isOver(row)) {
      await limits.countAddress(source);
      await limits.countApp(app.client_id);
    } else await limits.countState(row.id);
    if (row === undefined) return { result: undefined };
    const digits = isVouched(app) ? undefined : requests.digitsOf(row);
    return this.#once.poll(row, async () => this.#tell((await find()) ?? row, state, digits));
  }

  stop(): Promise<void> {
    return this.#once.stop();
  }

  #tell(
    row: ConsentRequestRow,
    state: string,
    digits: string | undefined,
  ): Outcome<DetachedResult | undefined> {
    if (this.#isOver(row)) throw new PlatformError('oauth.result_expired');
    // Nothing is lost by telling it again.
    if (row.status === 'refused') throw new PlatformError('oauth.access_denied');
    if (row.status === 'open' || row.result === null) {
      const pending = digits === undefined ? undefined : ({ status: 'pending', digits } as const);
      return { result: pending, isFinal: false };
    }
    const told = JSON.parse(this.#deps.decrypt(row, row.result)) as { code: string } | { enrolled: true };
    return { result: { ...told, state }, isFinal: true };
  }

  #isOver(row: ConsentRequestRow): boolean {
    return row.delivered === 1 || row.expires_at <= this.#deps.clock.now();
  }
}
