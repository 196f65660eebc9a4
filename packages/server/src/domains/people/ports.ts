import type { LiveSlot } from '@symbolon/protocol';
import type { Reader, Writer } from '../../db/database.ts';
import type { Flag } from '../../db/tables.ts';
import type { RaisedEvent } from '../../events/outbox.ts';

/** A slot of this region that follows a field. */
export interface FollowingSlot extends Omit<LiveSlot, 'withheld'> {
  /** The version of the field whose value the slot has; null where none is known. */
  readonly field_version: number | null;
  readonly mandatory_connected: Flag;
  readonly audience: 'person' | 'company' | 'both';
}

/**
 * The slots of this region that follow fields: what happens to a field happens to them in the same transaction. The caller
 * holds the person's lock and raises the returned events as its last step.
 */
export interface FieldFollowers {
  of(reader: Reader, fieldId: string): Promise<readonly FollowingSlot[]>;
  /** Stores a field's new value, one copy for each slot. @throws {PlatformError} db.writes_paused */
  save(
    writer: Writer,
    field: { personId: string; version: number },
    copies: readonly { slot: FollowingSlot; value: string }[],
  ): Promise<RaisedEvent[]>;
  /** Gives the slots with this version of the value the field's attestation, or takes it away with null. */
  attest(
    writer: Writer,
    field: { personId: string; fieldId: string; version: number },
    stored: string | null,
  ): Promise<RaisedEvent[]>;
  setPrivate(writer: Writer, fieldId: string, isPrivate: Flag): Promise<void>;
  /** Part of deleting a field. */
  drop(writer: Writer, field: { personId: string; fieldId: string }): Promise<RaisedEvent[]>;
}
