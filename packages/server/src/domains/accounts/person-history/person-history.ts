import { limits, type PersonEvent, type PersonEventKind, type RecoveryState } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Writer } from '../../../db/database.ts';
import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Core } from '../../domain.ts';
import { confirmRecovery, eventsOf, insertEvent, putRecovery, recoveryOf } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = limits.personHistoryDays * DAY_MS;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'log' | 'timers'> {
  readonly maintenance: { readonly workPaused: boolean };
}

/** What happened at the account of a person, for the person to read: sign-ins, and changes of what the person signs in with. */
export class PersonHistory {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Notes what has happened. It must not fail what was done, and while writes are paused nothing is noted (wire 7). */
  async note(personId: string, kind: PersonEventKind, userAgent: string): Promise<void> {
    const { clock, database, ids, log, maintenance } = this.#deps;
    if (maintenance.workPaused) return;
    const row = { person_id: personId, id: ids.uuid(), kind, user_agent: userAgent, at: clock.now() };
    try {
      await database.write((writer) => insertEvent(writer, row, limits.personHistoryMost));
    } catch (error) {
      log.warn({ err: error, person: personId, kind }, 'the history of a person could not be written');
    }
  }

  /** The latest first. */
  async list(personId: string): Promise<PersonEvent[]> {
    const since = this.#deps.clock.now() - KEPT_MS;
    const rows = await eventsOf(this.#deps.database.reader, personId);
    return rows
      .filter(({ at }) => at > since)
      .map(({ id, kind, user_agent, at }) => ({ id, kind, user_agent, at: isoTime(at) }));
  }

  /** @param registeredAt when the person got the first recovery code */
  async recovery(personId: string, registeredAt: number): Promise<RecoveryState> {
    const row = await recoveryOf(this.#deps.database.reader, personId);
    const confirmedAt = row?.confirmed_at ?? null;
    return {
      made_at: isoTime(row?.made_at ?? registeredAt),
      confirmed_at: confirmedAt === null ? null : isoTime(confirmedAt),
    };
  }

  /** Part of putting a new recovery code in place of the present one. */
  recoveryCodeMade(writer: Writer, personId: string): Promise<void> {
    return putRecovery(writer, {
      person_id: personId,
      made_at: this.#deps.clock.now(),
      confirmed_at: null,
    });
  }

  /** The person has the recovery code of this moment. @param registeredAt as with `recovery` */
  recoveryCodeConfirmed(writer: Writer, personId: string, registeredAt: number): Promise<void> {
    return confirmRecovery(writer, {
      person_id: personId,
      made_at: registeredAt,
      confirmed_at: this.#deps.clock.now(),
    });
  }

  /** What is too old is shown no more; this frees its rows. */
  async dropExpired(stopping?: AbortSignal): Promise<void> {
    await deleteExpired(this.#deps, { table: 'person_history', column: 'at', keptMs: KEPT_MS }, stopping);
  }
}
