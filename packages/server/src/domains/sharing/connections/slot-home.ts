import type { StoredFile } from '../../../core/stored-file.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { NamedField } from '../../people/index.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import type { AnswersOf } from './slot-store.ts';

/** A live answer that a person is about to give. */
export interface PlannedSlot {
  readonly row: RequestFieldRow;
  readonly fieldId: string;
}

/** What a person is about to do on one connection. */
export interface Plan {
  readonly companyId: string;
  readonly serviceId: string;
  readonly servicePublicKey: string;
  readonly connectionId: string;
  readonly slots: readonly PlannedSlot[];
  /** Fields that are named without being followed. */
  readonly named: readonly string[];
  /** Uploads that are named. */
  readonly uploads: readonly string[];
  /** Fields whose files are answers. */
  readonly fileFields: readonly string[];
}

/** The files that decisions name. */
export interface FilesOfAct {
  /** By the upload. */
  readonly uploads: ReadonlyMap<string, StoredFile>;
  /** By the field. */
  readonly ofFields: ReadonlyMap<string, StoredFile>;
}

/** What the customer's home registered or gave; the transaction that makes the slots compares it with what is true then. */
export interface Registered {
  /** Compares the service's key with the one that was registered; call it with the service locked. */
  confirm(service: () => Promise<{ readonly public_key: string } | undefined>): Promise<void>;
  /**
   * @returns the registration of a live answer and the version of its field
   * @throws {PlatformError} contact_data.field_changed when the field has a newer value than the home was asked about
   */
  claim(row: RequestFieldRow, field: NamedField): { registration?: string; fieldVersion: number };
  /**
   * The files that were fetched from the customer's home, and are used up; undefined when they are here.
   * @param fields as they are known in the transaction
   * @throws {PlatformError} contact_data.field_changed when a file is not that of the known version of its field
   */
  files?(writer: Writer, fields: ReadonlyMap<string, NamedField>): Promise<FilesOfAct>;
}

/**
 * The home regions of the people whose slots are in this region. A live slot is registered there before it is created, and
 * its registration is withdrawn after it ends, so that every new value of the field reaches it. People who are at home here
 * need no registration.
 */
export interface SlotHome {
  /**
   * Registers a person's new live slots in the person's home region, then runs `act`, which creates them.
   * @param plan reads what is about to be done; undefined when nothing is
   * @throws {PlatformError} contact_data.field_changed, region.unavailable, and what `act` throws
   */
  register<T>(
    personId: string,
    plan: (reader: Reader) => Promise<Plan | undefined>,
    act: (registered: Registered) => Promise<T>,
  ): Promise<T>;
  /**
   * Has the uploads that answers of a company name, which are in the company's home region, then runs `act`, which names them.
   * @throws {PlatformError} region.unavailable, platform.busy, and what `act` throws
   */
  withUploads<T>(
    companyId: string,
    uploads: readonly string[],
    act: (registered: Registered) => Promise<T>,
  ): Promise<T>;
  /** Some answers of a connection end; call it before they are deleted. */
  slotsEnding(
    writer: Writer,
    connection: { company_id: string; id: string },
    rows: readonly Pick<RequestFieldRow, 'id'>[],
  ): Promise<void>;
  /** Connections of one company end; call it before they are deleted. */
  connectionsEnding(writer: Writer, companyId: string, connectionIds: readonly string[]): Promise<void>;
  /** A publish removes rows or makes them one-time: the answers of some connections end; call it before they change. */
  answersEnding(writer: Writer, answers: AnswersOf): Promise<void>;
  /** A publish changes which rows are mandatory; those that it removes are not any more. */
  rowsChanging(
    writer: Writer,
    companyId: string,
    rows: { before: readonly RequestFieldRow[]; kept: readonly RequestFieldRow[] },
  ): Promise<void>;
  keyReplaced(
    writer: Writer,
    service: { companyId: string; serviceId: string },
    publicKey: string,
  ): Promise<void>;
}

/** Nothing was registered, because the customer is at home here. */
export const atHome: Registered = {
  async confirm() {},
  claim: (_row, field) => ({ fieldVersion: field.version }),
};

/** With one region all customers are at home here. */
export const localSlots: SlotHome = {
  register: (_personId, _plan, act) => act(atHome),
  withUploads: (_companyId, _uploads, act) => act(atHome),
  async slotsEnding() {},
  async connectionsEnding() {},
  async answersEnding() {},
  async rowsChanging() {},
  async keyReplaced() {},
};
