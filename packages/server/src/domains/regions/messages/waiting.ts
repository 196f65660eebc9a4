import type { Reader } from '../../../db/database.ts';
import { LANES } from './message-queue.ts';
import { COUNTED_MOST, waitingIn } from './store.ts';

/** How many messages wait for a region, as far as they are counted, and since when the oldest of these does. */
export async function waitingFor(
  reader: Reader,
  region: string,
): Promise<{ messages: number; since: number | null }> {
  let messages = 0;
  let since: number | null = null;
  for (let lane = 0; lane < LANES && messages < COUNTED_MOST; lane++) {
    const inLane = await waitingIn(reader, region, lane, COUNTED_MOST - messages);
    messages += inLane.messages;
    if (inLane.since !== null) since = Math.min(since ?? inLane.since, inLane.since);
  }
  return { messages, since };
}
