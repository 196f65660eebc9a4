import type { Core } from '../../domain.ts';
import { countOf, countsByKey, totalOf } from '../../operations/index.ts';
import { oldestChange, oldestWebhookEvent } from './store.ts';

/** Feeds and webhooks of the whole database, shown by processes that work. */
export function showQueues({ clock, config, database, instruments }: Core): void {
  if (!config.roles.has('worker')) return;
  const { engine, reader } = database;
  const ageOf = (at: number | null) => (at === null ? 0 : (clock.now() - at) / 1000);
  instruments.gauges(async (show) => {
    show('symbolon.feed.events', await countOf(engine, reader, 'changes'), {});
    show('symbolon.feed.oldest_age', ageOf(await oldestChange(reader)), {});
  });
  instruments.gauges(async (show) => {
    const byHealth = await countsByKey(engine, reader, 'webhooks');
    for (const health of ['running', 'bad', 'unknown'])
      show('symbolon.webhooks', byHealth.get(health) ?? 0, { health });
    show('symbolon.webhooks.events', await totalOf(engine, reader, 'webhook_events'), {});
    show('symbolon.webhooks.oldest_age', ageOf(await oldestWebhookEvent(reader)), {});
  });
}
