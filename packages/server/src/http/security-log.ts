import type { ErrorKey } from '@symbolon/protocol';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { PERSON_COOKIE, SESSION_COOKIE } from '../access/cookies.ts';
import { mailboxOf } from '../access/email.ts';
import { PEER_TOKEN_PREFIX } from '../access/peers.ts';
import { callerId } from '../access/principal.ts';
import type { PlatformError } from '../core/errors.ts';
import type { Instruments } from '../core/instruments.ts';
import { networkOf } from '../core/ip-address.ts';
import type { Secrets } from '../core/secrets.ts';
import type { Timers } from '../core/timers.ts';

/** What a refusal is about; each kind has its own share of the log. */
type Kind = 'sign_in_failed' | 'token_refused' | 'throttled' | 'forbidden' | 'peer_refused';

/** Lines of one kind in a minute, in all and for one network; the rest is counted. */
const LINES_MOST = 100;
const LINES_OF_ONE_MOST = 10;
const WINDOW_MS = 60_000;

/** Of an account in a line: enough to tell accounts apart. */
const HASH_LENGTH = 16;

interface Window {
  lines: number;
  readonly bySource: Map<string, number>;
  notShown: number;
}

interface Deps {
  readonly instruments: Instruments;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly timers: Timers;
}

/**
 * Tells of refusals that may be attacks: one line each, as long as they are few, and a counter. A line names the account by a
 * keyed hash, never by an e-mail address, and has nothing of what was sent.
 */
export class SecurityLog {
  readonly #deps: Deps;
  readonly #windows = new Map<Kind, Window>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Notes a refusal when it is one of the kinds; other errors leave no line. */
  refused(request: FastifyRequest, error: PlatformError): void {
    const kind = kindOf(request, error);
    if (kind === undefined) return;
    this.#deps.instruments.count('symbolon.security.refusals', { kind, reason: error.key });
    const source = request.ip;
    if (!this.#isShown(kind, networkOf(source))) return;
    const account = accountIn(request);
    this.#deps.log.warn(
      {
        security: kind,
        reason: error.key,
        ...(account === undefined ? {} : { account: this.#named(account) }),
        source,
        route: `${request.method} ${request.routeOptions.url ?? ''}`.trim(),
        reqId: request.id,
      },
      'refused',
    );
  }

  #named(account: string): string {
    return this.#deps.secrets.hash(`security log ${account}`).slice(0, HASH_LENGTH);
  }

  #isShown(kind: Kind, source: string): boolean {
    const window = this.#windows.get(kind) ?? this.#open(kind);
    const ofOne = window.bySource.get(source) ?? 0;
    if (window.lines >= LINES_MOST || ofOne >= LINES_OF_ONE_MOST) {
      window.notShown++;
      return false;
    }
    window.lines++;
    window.bySource.set(source, ofOne + 1);
    return true;
  }

  #open(kind: Kind): Window {
    const window: Window = { lines: 0, bySource: new Map(), notShown: 0 };
    this.#windows.set(kind, window);
    this.#deps.timers.after(WINDOW_MS, () => {
      this.#windows.delete(kind);
      const { notShown } = window;
      if (notShown > 0) this.#deps.log.warn({ security: kind, notShown }, 'more were refused in this minute');
    });
    return window;
  }
}

const SIGN_IN_KEYS: ReadonlySet<string> = new Set<ErrorKey>([
  'auth.credentials_invalid',
  'auth.second_factor_invalid',
  'auth.ticket_invalid',
  'account.recovery_invalid',
  'account.code_invalid',
  'invalid_client',
]);

function kindOf(request: FastifyRequest, { status, key }: PlatformError): Kind | undefined {
  const { url, headers } = request;
  if (status !== 401 && status !== 403 && status !== 429) return undefined;
  // The right password was sent, and the code is asked for.
  if (key === 'auth.two_factor_required') return undefined;
  const byPeer = headers.authorization?.startsWith(`Bearer ${PEER_TOKEN_PREFIX}`) === true;
  if (url.startsWith('/internal/') || (byPeer && status === 401)) return 'peer_refused';
  if (status === 429) return 'throttled';
  if (SIGN_IN_KEYS.has(key)) return 'sign_in_failed';
  if (status === 403) return 'forbidden';
  // Every page asks for its session: a request without a credential is no attempt.
  return key === 'auth.invalid' && !showsCredential(request) ? undefined : 'token_refused';
}

/** Whether a call says who calls, rightly or not. */
function showsCredential({ headers, url }: FastifyRequest): boolean {
  const { authorization, cookie = '' } = headers;
  const hasSession = [PERSON_COOKIE, SESSION_COOKIE].some((name) => cookie.includes(`${name}=`));
  return authorization !== undefined || hasSession || url.includes('ticket=');
}

/** The caller, or the account of a sign-in. */
function accountIn({ principal, body }: FastifyRequest): string | undefined {
  if (principal) return callerId(principal);
  if (body instanceof URLSearchParams) return body.get('client_id') ?? undefined;
  const email = (body as { email?: unknown } | null | undefined)?.email;
  return typeof email === 'string' ? mailboxOf(email) : undefined;
}
