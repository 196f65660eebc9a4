import type { FieldTypeRegistry } from '@symbolon/field-types';
import { Event, type EventName } from '@symbolon/protocol';
import type { Writer } from '../../db/database.ts';
import type { ConnectionRow, RequestFieldRow } from '../../db/tables.ts';
import type { RaisedEvent } from '../../events/outbox.ts';
import { ownFields } from '../fields/own-fields.ts';
import { type Answer, answerOf, type Decided } from './decisions.ts';
import { settleConsents } from './person-store.ts';
import { deleteSlots, putSlots } from './slot-store.ts';
import { shareCodesOf } from './store.ts';

/** What a person's act changes in the slots of one connection. */
export interface SlotChanges {
  /** Rows that had no answer. */
  readonly provided: readonly Answer[];
  /** Rows whose answer is replaced. */
  readonly updated: readonly Answer[];
  /** Rows whose answer goes. */
  readonly dropped: readonly RequestFieldRow[];
}

/** Checks decisions against the person's own fields. @throws {PlatformError} what `answerOf` refuses */
export async function checkAnswers(
  writer: Writer,
  personId: string,
  decided: ReadonlyMap<RequestFieldRow, Decided>,
  context: { registry: FieldTypeRegistry; now: number },
): Promise<Answer[]> {
  if (decided.size === 0) return [];
  const fields = await ownFields(writer, personId);
  return [...decided].map(([row, decision]) => answerOf(row, decision, { ...context, fields }));
}

/** Writes a connection's answers without telling anyone: connecting is one event, whatever comes with it (spec 6.1). */
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
    })),
  );
}

/** Writes what a person changed on a standing connection; gives what its service is to hear, slot by slot (spec 6.1). */
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
  await settleConsents(writer, connection, {
    state: 'accepted',
    requestFieldIds: answers.map(({ row }) => row.id),
    at,
  });
  return rowEvents(writer, connection, [
    ...dropped.map((row) => [Event.fieldDeleted, row] as const),
    ...updated.map(({ row }) => [Event.fieldUpdated, row] as const),
    ...provided.map(({ row }) => [Event.consentAccepted, row] as const),
  ]);
}

/** Events about rows of one person's connection. */
export async function rowEvents(
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

/** What every event of a person's connection says. */
export async function eventSubject(
  writer: Writer,
  connection: ConnectionRow,
): Promise<Omit<RaisedEvent, 'event'>> {
  const codes = await shareCodesOf(writer, [connection.customer_id]);
  return {
    companyId: connection.company_id,
    serviceId: connection.service_id,
    customer: {
      id: connection.customer_id,
      type: connection.customer_type,
      shareCode: codes.get(connection.customer_id) ?? null,
    },
    connectionId: connection.id,
  };
}
