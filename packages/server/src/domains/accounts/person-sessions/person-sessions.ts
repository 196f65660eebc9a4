import { limits, type SessionView } from '@symbolon/protocol';
import { antiForgeryToken } from '../../../access/anti-forgery.ts';
import type { Principal } from '../../../access/principal.ts';
import { newSessionToken, personTokenPrefix } from '../../../access/session-token.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lookUp } from '../../../core/secrets.ts';
import { deleteExpired } from '../../../db/expired-rows.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import type { Endings } from '../../participation.ts';
import {
  deleteOldest,
  deleteSession,
  deleteSessions,
  insertSession,
  sessionByHash,
  sessionsOf,
  touchSession,
} from './store.ts';
import type { PersonSessionRow } from './tables.ts';

const HOUR_MS = 60 * 60 * 1000;
/** A session ends this long after its sign-in, used or not. */
const SESSION_MS = 30 * 24 * HOUR_MS;
/** An idle session ends after this time. */
const IDLE_MS = 12 * HOUR_MS;
/** The last use of a session is stored with this precision. */
const SEEN_MS = 60 * 1000;

/** A session just opened; its token is known here and never again. */
export interface OpenedSession {
  readonly token: string;
  readonly antiForgeryToken: string;
  readonly expiresAt: number;
  readonly lifeMs: number;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'regions' | 'secrets' | 'timers'> {
  readonly maintenance: { readonly workPaused: boolean };
  readonly personSignals: PersonSignals;
  readonly endings: Endings;
}

/**
 * The browsers in which people are signed in: opaque tokens in a cookie, stored as keyed hashes. A session belongs to the
 * credentials with which it was opened: a new password or a recovery ends it, because it raises the person's epoch.
 */
export class PersonSessions {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Opens a session for a person as they proved themselves. Of too many, the oldest ends. */
  async open(person: { id: string; epoch: number }, userAgent: string): Promise<OpenedSession> {
    const { clock, database, ids, regions, secrets } = this.#deps;
    const token = newSessionToken(secrets, personTokenPrefix(regions.own));
    const now = clock.now();
    const row: PersonSessionRow = {
      person_id: person.id,
      id: ids.uuid(),
      token_hash: secrets.hash(token),
      epoch: person.epoch,
      user_agent: userAgent,
      created_at: now,
      last_seen_at: now,
      expires_at: now + SESSION_MS,
    };
    await database.write(async (writer) => {
      await insertSession(writer, row);
      await deleteOldest(writer, person.id, limits.personSessionsMost);
    });
    return {
      token,
      antiForgeryToken: antiForgeryToken(secrets, row.token_hash),
      expiresAt: row.expires_at,
      lifeMs: SESSION_MS,
    };
  }

  /**
   * The person of a session's token, with the hash of it.
   * @param isUse whether the session goes on for longer by this
   */
  async find(
    token: string,
    isUse: boolean,
  ): Promise<{ principal: Principal; sessionHash: string } | 'expired' | undefined> {
    const row = await this.#byToken(token);
    if (row === undefined) return undefined;
    const now = this.#deps.clock.now();
    if (!isOpen(row, now)) return 'expired';
    // While writes are paused, a read must not write (wire 7).
    const noted = !isUse || now - row.last_seen_at < SEEN_MS || this.#deps.maintenance.workPaused;
    if (!noted) await this.#seen(row.token_hash, now);
    return {
      principal: { kind: 'person', personId: row.person_id, epoch: row.epoch, sessionId: row.id },
      sessionHash: row.token_hash,
    };
  }

  async list(personId: string, currentId: string | undefined): Promise<SessionView[]> {
    const now = this.#deps.clock.now();
    const rows = await sessionsOf(this.#deps.database.reader, personId);
    return rows
      .filter((row) => isOpen(row, now))
      .map((row) => ({
        id: row.id,
        transport: 'cookie',
        user_agent: row.user_agent,
        created_at: isoTime(row.created_at),
        last_seen_at: isoTime(row.last_seen_at),
        expires_at: isoTime(row.expires_at),
        current: row.id === currentId,
      }));
  }

  /** What a page needs to know of its session; undefined when it has ended. */
  async current(
    personId: string,
    sessionId: string,
  ): Promise<{ antiForgeryToken: string; expiresAt: number } | undefined> {
    const rows = await sessionsOf(this.#deps.database.reader, personId);
    const row = rows.find(({ id }) => id === sessionId);
    if (row === undefined || !isOpen(row, this.#deps.clock.now())) return undefined;
    return {
      antiForgeryToken: antiForgeryToken(this.#deps.secrets, row.token_hash),
      expiresAt: row.expires_at,
    };
  }

  /** @throws {PlatformError} account.session_not_found */
  async end(personId: string, id: string): Promise<void> {
    const { database, personSignals, endings } = this.#deps;
    const ended = await database.write(async (writer) => {
      for (const hook of endings.session) await hook.dropForSession(writer, personId, id);
      return deleteSession(writer, personId, id);
    });
    if (!ended) throw new PlatformError('account.session_not_found');
    personSignals.tell(personId, { kind: 'session_changed', id });
  }

  /** Ends every session but the one that asks. */
  async endOthers(personId: string, keptId: string | undefined): Promise<void> {
    const { database, personSignals, endings } = this.#deps;
    await database.write(async (writer) => {
      for (const hook of endings.session) await hook.dropForOtherSessions(writer, personId, keptId);
      await deleteSessions(writer, personId, keptId);
    });
    personSignals.tell(personId, { kind: 'session_changed', id: personId });
  }

  /** Sessions that have expired are refused anyway; this frees their rows. */
  async dropExpired(stopping?: AbortSignal): Promise<void> {
    const table = 'person_sessions';
    await deleteExpired(this.#deps, { table }, stopping);
    await deleteExpired(this.#deps, { table, column: 'last_seen_at', keptMs: IDLE_MS }, stopping);
    await deleteExpired(this.#deps, { table: 'person_sign_in_tickets' }, stopping);
  }

  #byToken(token: string): Promise<PersonSessionRow | undefined> {
    return lookUp(this.#deps.secrets.hashes(token), async (hash) => {
      const [found] = await sessionByHash(this.#deps.database.vital, hash);
      return found;
    });
  }

  /** A failure to store the last use must not fail the request. */
  async #seen(sessionHash: string, now: number): Promise<void> {
    try {
      await this.#deps.database.write((writer) => touchSession(writer, sessionHash, now));
    } catch {}
  }
}

const isOpen = (row: PersonSessionRow, now: number) =>
  row.expires_at > now && row.last_seen_at + IDLE_MS > now;
