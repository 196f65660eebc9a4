import type { CustomerType } from '@symbolon/protocol';
import type { Reader, Writer } from '../../../db/database.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import type { Answer, Decided } from './decisions.ts';
import type { Registered, SlotHome } from './slot-home.ts';

/** What differs between people and companies as customers of a service. */
export interface Side<Connection, Consent> {
  readonly customer: CustomerType;
  /** Where the fields are at home that live answers follow. */
  readonly slotHome: Pick<SlotHome, 'register' | 'slotsEnding'>;
  /** Called after the service is locked and before the connection is. */
  lockCustomer(writer: Writer, customerId: string): Promise<void>;
  /**
   * Finds the row of each decision.
   * @param rows all rows of the service
   * @param answered the ids of the rows that have an answer
   * @throws {PlatformError} contact_data.decision_invalid, contact_data.usertype_forbidden
   */
  pair(
    rows: readonly RequestFieldRow[],
    decided: readonly Decided[],
    answered: ReadonlySet<string>,
  ): Map<RequestFieldRow, Decided>;
  /** Checks decisions and makes answers of them. @throws {PlatformError} what `answerOf` throws */
  answers(
    writer: Writer,
    customerId: string,
    decided: ReadonlyMap<RequestFieldRow, Decided>,
    registered: Registered,
  ): Promise<Answer[]>;
  /** A connection as its customer sees it; undefined when it is not the customer's. */
  view(reader: Reader, customerId: string, connectionId: string): Promise<Connection | undefined>;
  /** What services have asked for since the customer connected, oldest connection first. */
  consents(reader: Reader, customerId: string): Promise<Consent[]>;
}
