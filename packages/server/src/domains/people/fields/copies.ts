import type { LiveSlot, SlotCopy } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { parseSealed } from '../../../core/sealed-value.ts';
import type { SlotElsewhere } from '../../../events/replication.ts';
import type { FollowingSlot } from '../ports.ts';

/** A slot that follows a field: of this region, or of another. */
export type Follower = FollowingSlot | SlotElsewhere;

export interface Copy {
  readonly connection_id: string;
  readonly request_field_id: string;
  /** Undefined when it is withheld. */
  readonly value: string | undefined;
}

/** @throws {PlatformError} request.invalid unless it is a value or withheld; and as `parseSealed` */
export function parseCopy({ value, withheld, ...slot }: SlotCopy, index: number): Copy {
  if ((value === undefined) === (withheld === undefined)) {
    const issue = { path: `/copies/${index}`, message: 'needs either a value or withheld' };
    throw new PlatformError('request.invalid', { details: { issues: [issue] } });
  }
  return { ...slot, value: value === undefined ? undefined : parseSealed(value) };
}

/**
 * Finds the copies of the slots; slots without one are withheld.
 * @throws {PlatformError} contact_data.copies_unexpected, contact_data.copies_missing
 */
export function pairCopies(
  slots: readonly Follower[],
  copies: readonly Copy[],
  version: number,
): { slot: Follower; value: string }[] {
  const open = new Map(slots.map((slot) => [keyOf(slot), slot]));
  const values = new Map<Follower, string | undefined>();
  for (const copy of copies) {
    const slot = open.get(keyOf(copy));
    if (slot === undefined || values.has(slot)) throw new PlatformError('contact_data.copies_unexpected');
    values.set(slot, copy.value);
  }
  const missing = slots.filter((slot) => !values.has(slot));
  if (missing.length > 0) {
    throw new PlatformError('contact_data.copies_missing', {
      details: { missing: missing.map((slot) => toLiveSlot(slot, version)) },
    });
  }
  return [...values].flatMap(([slot, value]) => (value === undefined ? [] : [{ slot, value }]));
}

type Paired<S extends Follower> = { slot: S; value: string };
export const isRemote = (pair: Paired<Follower>): pair is Paired<SlotElsewhere> =>
  'registration' in pair.slot;
export const isHere = (pair: Paired<Follower>): pair is Paired<FollowingSlot> => !isRemote(pair);

export const keyOf = (slot: { connection_id: string; request_field_id: string }) =>
  JSON.stringify([slot.connection_id, slot.request_field_id]);

/** @param version of the field's present value */
export function toLiveSlot(row: Follower, version: number): LiveSlot {
  return {
    connection_id: row.connection_id,
    request_field_id: row.request_field_id,
    slug: row.slug,
    service_id: row.service_id,
    service_public_key: row.service_public_key,
    withheld: row.field_version !== null && row.field_version < version,
  };
}
