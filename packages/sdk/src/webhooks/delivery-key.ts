import { hash } from 'node:crypto';
import type { ChangeEvent } from '@symbolon/protocol';

/**
 * What makes a repetition recognisable: a hash over everything an event says, so over event, person, slug (or
 * `document_id` or `request_id`) and payload (wire 6.5). `id` stays out: a live delivery and its replay differ in it.
 * `at` stays in: somebody may connect, leave, and connect again.
 *
 * The same for an event in JSON and in XML. It does not name the webhook: two services may have the same to tell.
 *
 * @returns lower-case hex SHA-256
 */
export function deliveryKey(event: ChangeEvent): string {
  return hash('sha256', JSON.stringify(canonical({ ...event, id: undefined })), 'hex');
}

/** Members in one order and scalars as text; null, absent and empty are one, as they are in XML. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? '' : ['[', ...value.map(canonical)];
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const members = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)]);
  return members.length === 0 ? '' : ['{', ...members];
}
