import type { Broadcast, BroadcastRequest, SentBroadcastList } from '@symbolon/protocol';
import { outdate, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

/** Rows of one page. */
const PAGE = 20;

/** What a service sent to everyone, newest first, and to how many people the next one goes. @param before where the page begins; empty: with the newest */
export const broadcastsQuery = (serviceId: string, before: string): Query<SentBroadcastList> => ({
  key: portalKeys.broadcasts(serviceId),
  part: before,
  read: () => {
    const query = new URLSearchParams({ limit: String(PAGE), ...(before !== '' && { before }) });
    return portalCall('GET', `${at(serviceId)}?${query}`);
  },
});

/** Sends a text to everyone who is connected to a service. It cannot be taken back. @throws SymbolonError */
export async function sendToEveryone(serviceId: string, body: string): Promise<Broadcast> {
  const json: BroadcastRequest = { body };
  const sent = await portalCall<Broadcast>('POST', at(serviceId), json);
  await outdate(portalKeys.broadcasts(serviceId));
  return sent;
}

const at = (serviceId: string) => `/api/services/${serviceId}/broadcasts`;
