import type { SessionView } from '@symbolon/protocol';
import { antiForgeryToken } from '../../../access/anti-forgery.ts';
import type { Principal } from '../../../access/principal.ts';
import { newSessionToken } from '../../../access/session-token.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lookUp } from '../../../core/secrets.ts';
import type { Writer } from '../../../db/database.ts';
import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit, Maintenance } from '../../operations/index.ts';
import type { LoginRef } from './login-store.ts';
import {
  deleteSession,
  deleteSessions,
  insertSession,
  sessionByHash,
  sessionsOf,
  touchSession,
} from './session-store.ts';
import type { PortalSessionRow } from './tables.ts';

export type PortalPrincipal = Extract<Principal, { kind: 'portal' }>;

const HOUR_MS = 60 * 60 * 1000;
/** A session ends this long after its sign-in, used or not. */
export const SESSION_MS = 12 * HOUR_MS;
/** An idle session ends after this time. Cookies get less: a browser may be left open and unattended. */
const IDLE_MS = { cookie: HOUR_MS, token: 4 * HOUR_MS } as const;
/** The last use of a session is stored with this precision. */
const SEEN_MS = 60 * 1000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets' | 'timers'> {
  readonly audit: Audit;
  readonly maintenance: Pick<Maintenance, 'workPaused'>;
}

/** The sessions of the portal: opaque tokens, stored as keyed hashes; by cookie for browsers, as bearer for programs. */
export class Sessions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Makes a session's token and row; `keep` writes the row in the transaction that lets the login in. */
  make(
    login: LoginRef,
    transport: PortalSessionRow['transport'],
    userAgent: string,
    factor: PortalSessionRow['factor'],
  ) {
    const token = newSessionToken(this.#deps.secrets);
    const now = this.#deps.clock.now();
    const row: PortalSessionRow = {
      company_id: login.companyId,
      login_id: login.loginId,
      id: this.#deps.ids.uuid(),
      token_hash: this.#deps.secrets.hash(token),
      transport,
      user_agent: userAgent,
      factor,
      created_at: now,
      last_seen_at: now,
      expires_at: now + SESSION_MS,
    };
    return { token, row };
  }

  async keep(writer: Writer, row: PortalSessionRow, actor: Actor): Promise<void> {
    await insertSession(writer, row);
    await this.#deps.audit.record(writer, {
      companyId: row.company_id,
      actor,
      action: 'session.opened',
      target: row.id,
      details: { transport: row.transport, user_agent: row.user_agent },
    });
  }

  /** The login of a token. A token sent by the other transport than its own is not found. */
  async find(
    token: string,
    transport: PortalSessionRow['transport'],
  ): Promise<PortalPrincipal | 'expired' | undefined> {
    const row = await lookUp(this.#deps.secrets.hashes(token), async (hash) => {
      const [found] = await sessionByHash(this.#deps.database.vital, hash);
      return found;
    });
    if (row === undefined || row.transport !== transport) return undefined;
    const now = this.#deps.clock.now();
    if (row.expires_at <= now || row.last_seen_at + IDLE_MS[transport] <= now) return 'expired';
    // While writes are paused, a read must not write (wire 7).
    const noted = now - row.last_seen_at < SEEN_MS || this.#deps.maintenance.workPaused;
    if (!noted) await this.#seen(row.token_hash, now);
    return {
      kind: 'portal',
      companyId: row.company_id,
      loginId: row.login_id,
      email: row.email,
      role: row.role,
      sessionId: row.id,
      sessionHash: row.token_hash,
      factor: row.factor,
      lacksFactor:
        row.second_factor_required === 1 && row.totp_enabled_at === null && row.factor !== 'passkey',
    };
  }

  /** The token that a page of the portal sends with its writes. */
  antiForgeryToken(sessionHash: string): string {
    return antiForgeryToken(this.#deps.secrets, sessionHash);
  }

  async list(caller: PortalPrincipal): Promise<SessionView[]> {
    const now = this.#deps.clock.now();
    const rows = await sessionsOf(this.#deps.database.reader, caller);
    return rows
      .filter((row) => row.expires_at > now && row.last_seen_at + IDLE_MS[row.transport] > now)
      .map((row) => ({
        id: row.id,
        transport: row.transport,
        user_agent: row.user_agent,
        created_at: isoTime(row.created_at),
        last_seen_at: isoTime(row.last_seen_at),
        expires_at: isoTime(row.expires_at),
        current: row.id === caller.sessionId,
      }));
  }

  /** When the caller's session ends at the latest. */
  async expiresAt(caller: PortalPrincipal): Promise<string> {
    const [row] = await sessionByHash(this.#deps.database.reader, caller.sessionHash);
    if (row === undefined) throw new PlatformError('auth.invalid');
    return isoTime(row.expires_at);
  }

  /** Ends one session of the caller's login. @throws {PlatformError} account.session_not_found */
  async end(caller: PortalPrincipal, id: string, actor: Actor): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      if (!(await deleteSession(writer, caller, id))) throw new PlatformError('account.session_not_found');
      await this.#recordEnd(writer, caller, id, actor);
    });
  }

  /** Ends every session of the caller's login but the one that asks. */
  async endOthers(caller: PortalPrincipal, actor: Actor): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      const ended = await deleteSessions(writer, caller, caller.sessionId);
      if (ended > 0) await this.#recordEnd(writer, caller, 'others', actor);
    });
  }

  /** Sessions that have expired are refused anyway; this frees their rows. */
  async dropExpired(stopping?: AbortSignal): Promise<void> {
    const table = 'portal_sessions';
    await deleteExpired(this.#deps, { table }, stopping);
    for (const value of ['token', 'cookie'] as const) {
      const idle = { column: 'last_seen_at', keptMs: IDLE_MS[value] };
      await deleteExpired(this.#deps, { table, ...idle, only: { column: 'transport', value } }, stopping);
    }
  }

  #recordEnd(writer: Writer, caller: PortalPrincipal, target: string, actor: Actor): Promise<void> {
    return this.#deps.audit.record(writer, {
      companyId: caller.companyId,
      actor,
      action: 'session.ended',
      target,
    });
  }

  /** A failure to store the last use must not fail the request. */
  async #seen(sessionHash: string, now: number): Promise<void> {
    try {
      await this.#deps.database.write((writer) => touchSession(writer, sessionHash, now));
    } catch {}
  }
}
