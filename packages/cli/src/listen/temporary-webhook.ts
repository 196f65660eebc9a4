import { createConnection } from 'node:net';
import { explain, Problem } from '../problem.ts';
import type { Portal } from '../profile/enter-portal.ts';
import { LISTEN_PATH } from './local-receiver.ts';

/** A webhook that lives as long as this process listens. */
export type TemporaryWebhook = {
  id: string;
  /** Has the platform send an example, to see that it gets through. @throws Problem when it does not */
  prove(): Promise<void>;
  /** Never throws: what stays behind is reported on stderr. */
  remove(): Promise<void>;
};

/** @throws Problem when the platform does not call this machine */
export async function makeTemporaryWebhook(
  { client, service, profile }: Portal,
  request: { url: string; events: readonly string[]; format: 'json' | 'xml'; secret: string },
): Promise<TemporaryWebhook> {
  const { url, events, format, secret: hmac_secret } = request;
  const json = { url, events: [...events], format, hmac_secret } as Parameters<
    typeof client.createWebhook
  >[1];
  const { id } = await client.createWebhook(service.id, json).catch((error) => {
    if (error.errorKey !== 'services.webhook_url_invalid') throw error;
    throw new Problem(
      `The platform does not call this machine (services.webhook_url_invalid). Start it with SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS=true, for development only. ${FEED_INSTEAD}`,
      { cause: error },
    );
  });
  return {
    id,
    async prove() {
      const { delivered, reason } = await client.testWebhook(service.id, id);
      if (delivered) return;
      throw new Problem(
        `The platform at ${profile.base_url} took the webhook, but does not reach this process (${reason}). Does it run in a container? It must share this machine's loopback. ${FEED_INSTEAD}`,
      );
    },
    async remove() {
      try {
        await client.deleteWebhook(service.id, id);
      } catch (error) {
        if ((error as { errorKey?: unknown }).errorKey === 'services.webhook_not_found') return;
        process.stderr.write(
          `The webhook ${id} could not be removed: ${explain(error).text} The next symbolon listen does it, or DELETE /api/services/${service.id}/webhooks/${id}.\n`,
        );
      }
    },
  };
}

/** Removes webhooks of listeners that were killed, and gives their number. One whose port still listens is left alone. */
export async function removeAbandoned({ client, service }: Portal): Promise<number> {
  let removed = 0;
  for (const { id, url } of await client.webhooks(service.id)) {
    const target = URL.parse(url);
    const isOurs = target?.hostname === '127.0.0.1' && target.pathname.startsWith(LISTEN_PATH);
    if (!isOurs || (await isListening(Number(target.port)))) continue;
    await client.deleteWebhook(service.id, id);
    removed++;
  }
  return removed;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const settle = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    // Whatever is not a plain refusal may be a listener.
    socket.once('connect', () => settle(true));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code !== 'ECONNREFUSED'));
  });
}

/** The one other way, with its price. */
export const FEED_INSTEAD =
  'Without a webhook there is --poll-feed, which DRAINS the pull feed: whoever else follows it misses what listen takes.';
