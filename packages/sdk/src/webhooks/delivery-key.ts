import { encodeHex } from '@symbolon/crypto';
import type { ChangeEvent } from '@symbolon/protocol';

/**
 * The key that identifies a repeated event: a hash of event, person, slug (or `document_id` or `request_id`) and payload
 * (wire 6.5). `id` is left out, because it differs between a delivery and its repetition. `at` is included, because a
 * person may connect, leave and connect again.
 *
 * JSON and XML of an event give the same key. The key does not contain the webhook, so two webhooks may share one.
 *
 * @returns lower-case hex SHA-256
 */
export async function deliveryKey(event: ChangeEvent): Promise<string> {
  const text = JSON.stringify(canonical({ ...event, id: undefined }));
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return encodeHex(new Uint8Array(digest));
}

/** Members are sorted and scalars become text. Null, absent and empty are equal, as they are in XML. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? '' : ['[', ...value.map(canonical)];
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const members = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)]);
  return members.length === 0 ? '' : ['{', ...members];
}
