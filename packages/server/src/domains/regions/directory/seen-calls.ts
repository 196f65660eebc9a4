import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Core } from '../../domain.ts';
import { insertSeenCall } from './seen-store.ts';

/** Ids of calls that were answered, so that none is answered twice. */
export interface SeenCalls {
  /** Notes a call; false when it was noted before. */
  note(id: string, expiresAt: number): Promise<boolean>;
  /** Forgets what has expired. */
  sweep(stopping?: AbortSignal): Promise<unknown>;
}

/** On PostgreSQL, where several processes answer for one region, the ids are in an unlogged table. */
export function seenCalls(core: Pick<Core, 'clock' | 'database' | 'timers'>): SeenCalls {
  const { clock, database } = core;
  if (database.engine === 'postgres') {
    return {
      note: (id, expiresAt) => database.write((writer) => insertSeenCall(writer, id, expiresAt)),
      sweep: (stopping) => deleteExpired(core, { table: 'peer_calls' }, stopping),
    };
  }
  // An embedded database has one process. What was sent before its start is refused without a look at this.
  const seen = new Map<string, number>();
  const sweep = async () => {
    // In the order in which they came, so nearly in that of their ends.
    for (const [id, expiresAt] of seen) {
      if (expiresAt > clock.now()) break;
      seen.delete(id);
    }
  };
  return {
    async note(id, expiresAt) {
      await sweep();
      if (seen.has(id)) return false;
      seen.set(id, expiresAt);
      return true;
    },
    sweep,
  };
}
