import type { LiveSlot } from '@symbolon/protocol';
import type { Reader, Writer } from '../db/database.ts';
import type { Flag, Tables } from '../db/tables.ts';

/** A slot in another region that follows a field. */
export interface SlotElsewhere extends Omit<LiveSlot, 'withheld'> {
  /** Under which the slot is registered at the person's home. */
  readonly registration: string;
  readonly company_id: string;
  /** The region of the slot's company; null for this one or an unknown one. */
  readonly region: string | null;
  readonly mandatory: Flag;
  readonly field_version: number | null;
}

/** Tells other regions about people, their fields and companies, in the transaction of the change. */
export interface Replication {
  personChanged(writer: Writer, personId: string): Promise<void>;
  /**
   * Waits until a person whose home let them in is known here, at least as of the token's epoch.
   * @returns false when there is nothing to wait for
   * @throws {PlatformError} region.unavailable
   */
  awaitPerson(personId: string, epoch: number): Promise<boolean>;
  /** @param copies of a new value, one for each slot in another region */
  fieldChanged(
    writer: Writer,
    row: Tables['person_fields'],
    copies?: readonly { readonly slot: SlotElsewhere; readonly value: string }[],
  ): Promise<void>;
  fieldDeleted(writer: Writer, personId: string, fieldId: string): Promise<void>;
  /** Slots in other regions that follow a field, oldest connection first. */
  slotsElsewhere(reader: Reader, fieldId: string): Promise<readonly SlotElsewhere[]>;
  /** Tells the others that a person of this region deleted the account. */
  personDeleted(writer: Writer, personId: string): Promise<void>;
  companyChanged(writer: Writer, companyId: string): Promise<void>;
  companyDeleted(writer: Writer, companyId: string): Promise<void>;
}

export const noReplication: Replication = {
  async personChanged() {},
  awaitPerson: async () => false,
  async fieldChanged() {},
  async fieldDeleted() {},
  slotsElsewhere: async () => [],
  async personDeleted() {},
  async companyChanged() {},
  async companyDeleted() {},
};
