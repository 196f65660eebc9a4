import { createHash } from 'node:crypto';
import { pushPayload } from '@symbolon/protocol';
import webPush from 'web-push';
import type { OutgoingRequest } from '../../../outgoing/sender.ts';
import type { Subscription } from './subscription.ts';
import type { VapidKeys } from './vapid.ts';

const PAYLOAD = JSON.stringify(pushPayload);
/** Characters of a topic (RFC 8030 5.4). */
const TOPIC_MOST = 32;

/**
 * A message that wakes a browser: encrypted for it (RFC 8291), signed by this region (RFC 8292). It says that someone asks,
 * and neither who nor what; every message is the same text, so its length tells nothing either.
 * @param message.about the id of what it is about: a second message about it replaces the first one at the push service
 * @param message.ttlSeconds how long the push service keeps it for a browser that is away
 * @param message.subject whom the push service may write to
 */
export function pushRequest(
  subscription: Subscription,
  message: { about: string; ttlSeconds: number; subject: string; keys: VapidKeys },
): OutgoingRequest {
  const { about, ttlSeconds, subject, keys } = message;
  const topic = createHash('sha256').update(about).digest('base64url').slice(0, TOPIC_MOST);
  const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, PAYLOAD, {
    vapidDetails: { subject, ...keys },
    TTL: ttlSeconds,
    urgency: 'high',
    topic,
    contentEncoding: 'aes128gcm',
  });
  // The sender counts the bytes itself.
  const { 'Content-Length': _, ...sent } = headers as Record<string, string | number>;
  return {
    url: endpoint,
    headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
    body,
  };
}
