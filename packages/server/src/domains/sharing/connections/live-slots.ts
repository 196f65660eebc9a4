import { Event, type EventName } from '@symbolon/protocol';
import type { Reader, Writer } from '../../../db/database.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import type { Flag } from '../../../db/tables.ts';
import type { RaisedEvent } from '../../../events/outbox.ts';
import { companyHomes } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { FieldFollowers, PersonFieldRow } from '../../people/index.ts';
import { slotAttestation } from '../../people/index.ts';
import {
  detachField,
  type LiveSlotRow,
  liveSlotsOf,
  type SlotChanges,
  setLivePrivate,
  slotKey,
  updateSlots,
} from './slot-store.ts';
import { shareCodesOf, subjectOf } from './store.ts';

export type { LiveSlotRow } from './slot-store.ts';

/** A new value of a field, sealed for the service of one slot. */
export interface FieldCopy {
  readonly connection_id: string;
  readonly request_field_id: string;
  readonly value: string;
}

/** The parts of a field that its slots copy. */
type FollowedField = Pick<PersonFieldRow, 'person_id' | 'id' | 'version' | 'private' | 'verification'>;

/** A field's person: slots are found by the field, events name the person. */
interface FieldRef {
  readonly personId: string;
  readonly fieldId: string;
}

type Deps = Pick<Core, 'clock' | 'database'>;

/**
 * The slots of this region that follow a field. A change of the field changes its slots in the same transaction, and returns
 * one event for each (wire 6.1). The caller holds the person's lock, and raises the events as its last step.
 */
export class LiveSlots implements FieldFollowers {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  of(reader: Reader, fieldId: string): Promise<LiveSlotRow[]> {
    return liveSlotsOf(reader, fieldId);
  }

  /**
   * Stores a field's new value, one copy a slot. Nothing attests a value that was just saved.
   * @throws {PlatformError} db.writes_paused while the company of a slot moves to another region
   */
  async save(
    writer: Writer,
    { personId, version }: { personId: string; version: number },
    copies: readonly { slot: LiveSlotRow; value: string }[],
  ): Promise<RaisedEvent[]> {
    const { engine } = this.#deps.database;
    const updated_at = this.#deps.clock.now();
    const saved = await updateSlots(
      engine,
      writer,
      copies.map(({ slot, value }) => ({
        slot,
        changes: { value, verification: null, updated_at, field_version: version },
      })),
    );
    if (saved.length < copies.length) {
      const kept = new Set(saved);
      const gone = copies.flatMap(({ slot }) => (kept.has(slot) ? [] : [slot.company_id]));
      const homes = await companyHomes(engine, writer, gone);
      // A slot is moving to another region: the client has to repeat the edit, which then finds the slot there.
      if ([...homes.values()].some((home) => home !== null)) throw writesPaused();
    }
    return eventsOf(writer, Event.fieldUpdated, personId, saved);
  }

  /**
   * Changes the slots of this region after the field changed in its home region. A slot takes a copy only if the copy is
   * newer than its value; an attestation goes only to slots with the value that it attests.
   * @param change.before the field as it was known here; undefined when it was not
   * @param change.late the copies arrive after their company has moved here: a copy that is older than the slot's value
   *   still raises an event, because none was raised for it before
   */
  async follow(
    writer: Writer,
    change: {
      before: FollowedField | undefined;
      after: FollowedField;
      copies: readonly FieldCopy[];
      late?: boolean;
    },
  ): Promise<RaisedEvent[]> {
    const { before, after, late = false } = change;
    const attested = before?.verification !== after.verification;
    if (!attested && before?.private === after.private && change.copies.length === 0) return [];
    const copies = new Map(change.copies.map((copy) => [slotKey(copy), copy.value]));
    const at = this.#deps.clock.now();
    const told: LiveSlotRow[] = [];
    const updates: { slot: LiveSlotRow; changes: SlotChanges }[] = [];
    for (const slot of await liveSlotsOf(writer, after.id)) {
      const version = slot.field_version ?? 0;
      const value = copies.get(slotKey(slot));
      if (version > after.version) {
        if (late && value !== undefined) told.push(slot);
        continue;
      }
      const verification = slotAttestation(slot, after.verification);
      const changes: SlotChanges = {};
      if (value !== undefined && version < after.version) {
        Object.assign(changes, { value, verification, field_version: after.version });
      } else if (attested && version === after.version && verification !== slot.verification) {
        changes.verification = verification;
      }
      const raisesEvent = Object.keys(changes).length > 0;
      if (raisesEvent) changes.updated_at = at;
      if (slot.private !== after.private) changes.private = after.private;
      if (Object.keys(changes).length > 0) updates.push({ slot, changes });
      if (raisesEvent) told.push(slot);
    }
    await updateSlots(this.#deps.database.engine, writer, updates);
    return eventsOf(writer, Event.fieldUpdated, after.person_id, told);
  }

  /** Sets or removes the attestation of a field's slots. A slot with a former value, which was withheld, keeps its own. */
  async attest(
    writer: Writer,
    { personId, fieldId, version }: FieldRef & { version: number },
    stored: string | null,
  ): Promise<RaisedEvent[]> {
    const updated_at = this.#deps.clock.now();
    const slots = (await liveSlotsOf(writer, fieldId)).filter(
      (slot) => (slot.field_version ?? version) === version,
    );
    const attested = await updateSlots(
      this.#deps.database.engine,
      writer,
      slots.map((slot) => ({ slot, changes: { verification: slotAttestation(slot, stored), updated_at } })),
    );
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
  const customer = { customer_id: personId, customer_type: 'person' } as const;
  const codes = await shareCodesOf(writer, [customer]);
  return slots.map((slot) => ({
    ...subjectOf({ ...slot, ...customer, id: slot.connection_id }, codes),
    event,
    slot: { requestFieldId: slot.request_field_id, slug: slot.slug },
  }));
}
