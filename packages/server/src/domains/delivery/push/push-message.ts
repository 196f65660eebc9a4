import { createHash } from 'node:crypto';
import { type PushedSignalKind, pushKinds } from '@symbolon/protocol';
import type { OutgoingRequest } from '../../../outgoing/sender.ts';
import { encryptPush } from './encrypt.ts';
import type { Subscription } from './subscription.ts';
import type { VapidKeys } from './vapid.ts';
import { vapidHeader } from './vapid-token.ts';

// Spaces after JSON are no part of it.
const texts = Object.values(pushKinds).map((kind) => JSON.stringify({ kind }));
const LENGTH = Math.max(...texts.map((text) => text.length));
/** Characters of a topic (RFC 8030 5.4). */
const TOPIC_MOST = 32;

/**
 * A message that wakes a browser: encrypted for it (RFC 8291), signed by this region (RFC 8292). It says what kind of thing
 * waits, but neither its sender nor its content; every message has the same length.
 * @param message.kind of the signal
 * @param message.about the id of what it is about: a second message about it replaces the first one at the push service
 * @param message.ttlSeconds how long the push service keeps it for a browser that is away
 * @param message.subject contact of the operator
 */
export function pushRequest(
  subscription: Subscription,
  message: {
    kind: PushedSignalKind;
    about: string;
    ttlSeconds: number;
    subject: string;
    keys: VapidKeys;
  },
): OutgoingRequest {
  const { kind, about, ttlSeconds, subject, keys } = message;
  const payload = JSON.stringify({ kind: pushKinds[kind] }).padEnd(LENGTH);
  const topic = createHash('sha256').update(about).digest('base64url').slice(0, TOPIC_MOST);
  return {
    url: subscription.endpoint,
    headers: {
      TTL: String(ttlSeconds),
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      Authorization: vapidHeader(subscription.endpoint, subject, keys),
      Urgency: 'high',
      Topic: topic,
    },
    body: encryptPush(subscription.keys, payload),
  };
}
