import type { Core } from '../../domain.ts';
import { waitingFor } from './waiting.ts';

/** What waits for other regions, shown by processes that send it. */
export function showMessages({ clock, config, database, instruments, regions }: Core): void {
  if (!config.roles.has('worker')) return;
  instruments.gauges(async (show) => {
    for (const region of regions.others) {
      const { messages, since } = await waitingFor(database.reader, region);
      show('symbolon.regions.messages.waiting', messages, { region });
      const age = since === null ? 0 : (clock.now() - since) / 1000;
      show('symbolon.regions.messages.oldest_age', age, { region });
    }
  });
}
