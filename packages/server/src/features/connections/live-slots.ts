import { Event, type EventName } from '@symbolon/protocol';
import type { Reader, Writer } from '../../db/database.ts';
import type { Flag } from '../../db/tables.ts';
import type { RaisedEvent } from '../../events/outbox.ts';
import type { Clock } from '../../ports/clock.ts';
import { slotAttestation } from './attestations.ts';
import { detachField, type LiveSlotRow, liveSlotsOf, setLivePrivate, updateSlot } from './slot-store.ts';
import { shareCodesOf } from './store.ts';

export type { LiveSlotRow } from './slot-store.ts';

/** A field's person: slots are found by the field, events name the person. */
interface FieldRef {
  readonly personId: string;
  readonly fieldId: string;
}

/**
 * The slots that follow a field: what happens to the field happens to them, in the same transaction, and each is told to
 * its service (spec 6.1). The caller holds the person's lock, and raises the events that a change gives as its last step.
 */
export class LiveSlots {
  readonly #clock: Clock;

  constructor(deps: { clock: Clock }) {
    this.#clock = deps.clock;
  }

  of(reader: Reader, fieldId: string): Promise<LiveSlotRow[]> {
    return liveSlotsOf(reader, fieldId);
  }

  /** Stores a field's new value, one copy a slot. Nothing attests a value that was just saved. */
  async save(
    writer: Writer,
    personId: string,
    copies: readonly { slot: LiveSlotRow; value: string }[],
  ): Promise<RaisedEvent[]> {
    const at = this.#clock.now();
    const saved: LiveSlotRow[] = [];
    for (const { slot, value } of copies) {
      if (await updateSlot(writer, slot, { value, verification: null, updated_at: at })) saved.push(slot);
    }
    return eventsOf(writer, Event.fieldUpdated, personId, saved);
  }

  /** Gives the slots of a field its attestation, or takes it from them. */
  async attest(
    writer: Writer,
    { personId, fieldId }: FieldRef,
    stored: string | null,
  ): Promise<RaisedEvent[]> {
    const at = this.#clock.now();
    const attested: LiveSlotRow[] = [];
    for (const slot of await liveSlotsOf(writer, fieldId)) {
      const verification = slotAttestation(slot, stored);
      if (await updateSlot(writer, slot, { verification, updated_at: at })) attested.push(slot);
    }
    return eventsOf(writer, Event.fieldUpdated, personId, attested);
  }

  async setPrivate(writer: Writer, fieldId: string, isPrivate: Flag): Promise<void> {
    await setLivePrivate(writer, fieldId, isPrivate);
  }

  /** Part of deleting a field: its slots go; snapshots of it stay, without their source. */
  async drop(writer: Writer, { personId, fieldId }: FieldRef): Promise<RaisedEvent[]> {
    const slots = await liveSlotsOf(writer, fieldId);
    await detachField(writer, fieldId);
    return eventsOf(writer, Event.fieldDeleted, personId, slots);
  }
}

async function eventsOf(
  writer: Writer,
  event: EventName,
  personId: string,
  slots: readonly LiveSlotRow[],
): Promise<RaisedEvent[]> {
  if (slots.length === 0) return [];
  const codes = await shareCodesOf(writer, [{ customer_id: personId, customer_type: 'person' }]);
  return slots.map((slot) => ({
    event,
    companyId: slot.company_id,
    serviceId: slot.service_id,
    customer: { id: personId, type: 'person', shareCode: codes.get(personId) ?? null },
    connectionId: slot.connection_id,
    slot: { requestFieldId: slot.request_field_id, slug: slot.slug },
  }));
}
