import type { Core } from '../../domain.ts';
import { unfinishedJobs } from './store.ts';

/** What waits for workers, shown by those that work. */
export function showJobs({ clock, config, database, instruments }: Core): void {
  if (!config.roles.has('worker')) return;
  instruments.gauges(async (show) => {
    const { jobs, since } = await unfinishedJobs(database.reader);
    show('symbolon.jobs.waiting', jobs, {});
    show('symbolon.jobs.oldest_age', since === null ? 0 : (clock.now() - since) / 1000, {});
  });
}
