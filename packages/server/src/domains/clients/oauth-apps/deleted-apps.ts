import { inSteps } from '../../../db/expired-rows.ts';
import { deleteChunk, dependentsOf } from '../../../db/table-registry.ts';
import type { Core } from '../../domain.ts';
import { deletedApps, forgetDeletedApp } from './store.ts';

/** A decision that was under way when the app was deleted may still write rows. */
const UNDERWAY_MS = 60 * 60_000;

/** Deletes what belongs to deleted apps, in short steps: any number of people may have used them. */
export async function sweepDeletedApps(
  core: Pick<Core, 'clock' | 'database' | 'tables' | 'timers'>,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, database, tables } = core;
  const dependents = dependentsOf(tables, 'oauth_apps');
  for (const app of await deletedApps(database.reader)) {
    for (const dependent of dependents) {
      if (stopping.aborted) return;
      await inSteps(
        core,
        (writer, most) => deleteChunk(database.engine, writer, dependent, app.client_id, most),
        stopping,
      );
    }
    const isDone = !stopping.aborted && app.deleted_at + UNDERWAY_MS <= clock.now();
    if (isDone) await database.write((writer) => forgetDeletedApp(writer, app));
  }
}
