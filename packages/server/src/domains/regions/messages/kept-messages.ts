import { Worker } from '../../../core/worker.ts';
import type { Database } from '../../../db/database.ts';
import type { Core, Domain } from '../../domain.ts';
import type { MessageSender } from './message-sender.ts';
import { deleteArrived, lanesOf } from './store.ts';

/** A region that comes back from a backup gets again what was sent to it for so long: backups are made every day. */
export const KEPT_MS = 3 * 24 * 60 * 60_000;
const DELETED_AT_ONCE = 500;
const COMPARE_MS = 10 * 60_000;

/** Notices that a region came back from a backup, and keeps what is sent to it then. */
export function keptMessages(
  core: Core,
  { messageSender, database }: { messageSender: Pick<MessageSender, 'compare'>; database: Database },
): Domain {
  const comparison = new Worker({
    ...core,
    name: 'compare what arrived in other regions',
    pauseMs: COMPARE_MS,
    work: (stopping) => messageSender.compare(stopping),
  });
  const sweep = {
    name: 'messages that other regions have had for long',
    async run(stopping: AbortSignal) {
      const before = core.clock.now() - KEPT_MS;
      for (const lane of await lanesOf(database.reader))
        for (let more = true; more && !stopping.aborted; )
          more = await database.write((writer) =>
            deleteArrived(writer, lane, { before, most: DELETED_AT_ONCE }),
          );
    },
  };
  return { workers: [comparison], sweeps: [sweep] };
}
