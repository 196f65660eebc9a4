import { type ChangeEvent, type CustomerType, Event } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { goneFile } from '../../../core/stored-file.ts';
import { attestation, contentOf } from '../../../events/answers.ts';
import type { PendingEvent } from './event-queues.ts';

const OF_FIELD: ReadonlySet<string> = new Set([Event.fieldUpdated, Event.fieldDeleted]);
/** Events whose group names the connection (wire 6.2); all others are identified by person and slug. */
const WITH_CONNECTION: ReadonlySet<string> = new Set([Event.messageReceived]);

/** The body of an event as it goes out now (wire 6.2). */
export function eventBody(row: PendingEvent): ChangeEvent {
  if (!OF_FIELD.has(row.event)) {
    const body: ChangeEvent = common(row, row.event);
    if (WITH_CONNECTION.has(row.event) && row.connection_id !== null) body.connection_id = row.connection_id;
    return row.payload === '{}' ? body : { ...body, ...further(row) };
  }
  // Rule 5: whatever was raised, the event tells what the slot holds as at delivery.
  if (row.slot === null || row.request_field_id === null) {
    return { ...common(row, Event.fieldDeleted), ...(row.event === Event.fieldDeleted ? further(row) : {}) };
  }
  const gone = goneFile(row.value);
  // The slot holds nothing that could be read.
  if (gone !== undefined) return { ...common(row, Event.fieldDeleted), content_sha256: gone.sha256 };
  const live = row.live === 1;
  const slot = { connection_id: row.slot, request_field_id: row.request_field_id, value: row.value };
  return { ...common(row, Event.fieldUpdated), live, ...contentOf(slot), ...attestation(row.verification) };
}

interface CommonMembers {
  id: string;
  event: string;
  person_user_id: string;
  share_code: string | null;
  at: string;
  customer_type: CustomerType;
  slug?: string;
}

function common(row: PendingEvent, event: string): CommonMembers {
  const members: CommonMembers = {
    id: row.id,
    event,
    person_user_id: row.customer_id,
    share_code: row.share_code,
    at: isoTime(row.at),
    customer_type: row.customer_type,
  };
  if (row.slug !== null) members.slug = row.slug;
  return members;
}

/** Members that were raised with the event. */
function further(row: PendingEvent): Record<string, unknown> {
  return row.payload === '{}' ? {} : (JSON.parse(row.payload) as Record<string, unknown>);
}
