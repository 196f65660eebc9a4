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

/** In the database: for all processes of a region, and after a restart. */
export function seenCalls(core: Pick<Core, 'clock' | 'database' | 'timers'>): SeenCalls {
  return {
    note: (id, expiresAt) => core.database.write((writer) => insertSeenCall(writer, id, expiresAt)),
    sweep: (stopping) => deleteExpired(core, { table: 'peer_calls' }, stopping),
  };
}
