import { Event, type EventName, limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import type { RaisedEvent } from '../../../events/outbox.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import { storeDecisions } from './customer-store.ts';
import type { Answer } from './decisions.ts';
import { answerBytes, deleteSlots, putSlots } from './slot-store.ts';
import { shareCodesOf, subjectOf } from './store.ts';
import type { ConnectionRow } from './tables.ts';

/** What a customer's act changes in the slots of one connection. */
export interface SlotChanges {
  /** Rows that had no answer. */
  readonly provided: readonly Answer[];
  /** Rows whose answer is replaced. */
  readonly updated: readonly Answer[];
  /** Rows whose answer goes. */
  readonly dropped: readonly RequestFieldRow[];
}

/**
 * Writes a connection's answers and raises no event for them: connecting is one event (wire 6.1).
 * @throws {PlatformError} contact_data.answers_too_large
 */
export async function storeAnswers(
  writer: Writer,
  connection: ConnectionRow,
  answers: readonly Answer[],
  at: number,
): Promise<void> {
  await putSlots(
    writer,
    answers.map((answer) => ({
      company_id: connection.company_id,
      connection_id: connection.id,
      request_field_id: answer.row.id,
      field_id: answer.fieldId,
      live: answer.live,
      value: answer.value,
      private: answer.private,
      verification: answer.verification,
      updated_at: at,
      field_version: answer.fieldVersion ?? null,
      registration: answer.registration ?? null,
    })),
  );
  if (answers.length > 0 && (await answerBytes(writer, connection)) > limits.connectionBytesMost) {
    throw new PlatformError('contact_data.answers_too_large');
  }
}

/** Writes what a customer changed on a connection. @returns one event for each slot (wire 6.1) */
export async function changeSlots(
  writer: Writer,
  connection: ConnectionRow,
  changes: SlotChanges,
  at: number,
): Promise<RaisedEvent[]> {
  const { provided, updated, dropped } = changes;
  await deleteSlots(
    writer,
    connection,
    dropped.map((row) => row.id),
  );
  const answers = [...provided, ...updated];
  await storeAnswers(writer, connection, answers, at);
  await storeDecisions(writer, connection, { state: 'accepted', rows: answers.map(({ row }) => row), at });
  return rowEvents(writer, connection, [
    ...dropped.map((row) => [Event.fieldDeleted, row] as const),
    ...updated.map(({ row }) => [Event.fieldUpdated, row] as const),
    ...provided.map(({ row }) => [Event.consentAccepted, row] as const),
  ]);
}

/** Declines rows that a publish asked. @returns one event for each row */
export async function declineRows(
  writer: Writer,
  connection: ConnectionRow,
  rows: readonly RequestFieldRow[],
  at: number,
): Promise<RaisedEvent[]> {
  await storeDecisions(writer, connection, { state: 'declined', rows, at });
  return rowEvents(
    writer,
    connection,
    rows.map((row) => [Event.consentDeclined, row] as const),
  );
}

/** Events about rows of one connection. */
async function rowEvents(
  writer: Writer,
  connection: ConnectionRow,
  events: readonly (readonly [event: EventName, row: RequestFieldRow])[],
): Promise<RaisedEvent[]> {
  if (events.length === 0) return [];
  const subject = await eventSubject(writer, connection);
  return events.map(([event, row]) => ({
    ...subject,
    event,
    slot: { requestFieldId: row.id, slug: row.slug },
  }));
}

/** What all events of a connection have in common. */
export async function eventSubject(
  writer: Writer,
  connection: ConnectionRow,
): Promise<Omit<RaisedEvent, 'event'>> {
  return subjectOf(connection, await shareCodesOf(writer, [connection]));
}
