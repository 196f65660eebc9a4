import type { CustomerDecision, Decision } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import type { RaisedEvent } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import { requestRows } from '../../services/index.ts';
import type { CustomerConnections } from './customer-connections.ts';
import { openConsent } from './customer-links.ts';
import { connectionOfConsent, ownPending } from './customer-store.ts';
import { type Decided, pairRows, readDecisions, refuseMissing } from './decisions.ts';
import type { Side } from './side.ts';
import type { Registered } from './slot-home.ts';
import { changeSlots, declineRows } from './slots.ts';
import type { ConnectionRow } from './tables.ts';

interface Deps<Connection, Consent> extends Pick<Core, 'clock' | 'database'> {
  readonly customers: CustomerConnections<Connection, Consent>;
  readonly side: Side<Connection, Consent>;
}

/**
 * What a service asked for after a customer connected. The connection stays whatever the customer answers: who was
 * connected before a row became mandatory may decline it (wire 6.1).
 */
export class Consents<Connection, Consent> {
  readonly #deps: Deps<Connection, Consent>;

  constructor(deps: Deps<Connection, Consent>) {
    this.#deps = deps;
  }

  async list(customerId: string): Promise<Consent[]> {
    return this.#deps.side.consents(this.#deps.database.reader, customerId);
  }

  /**
   * Answers some or all of the rows that are open, and all that are mandatory: those a customer declines first.
   * @throws {PlatformError} consents.not_found, and what `answerOf` throws
   * @param within done in the same transaction
   */
  async provide(
    customerId: string,
    consentId: string,
    decisions: readonly (Decision | CustomerDecision)[],
    within?: (writer: Writer) => Promise<void>,
  ): Promise<Connection> {
    const { clock, side } = this.#deps;
    const decided = readDecisions(decisions);
    return this.#settle(customerId, consentId, decided, async (writer, connection, rows, registered) => {
      const byRow = pairRows(rows, decided);
      if (byRow.size === 0) throw new PlatformError('contact_data.decision_invalid');
      refuseMissing(side.customer, rows, byRow);
      const provided = await side.answers(writer, customerId, byRow, registered);
      await side.slotHome.slotsEnding(writer, connection, [...byRow.keys()]);
      const changes = { provided, updated: [], dropped: [] };
      const events = await changeSlots(writer, connection, changes, clock.now());
      await within?.(writer);
      return events;
    });
  }

  /**
   * Declines rows that are open.
   * @param rowIds the rows to decline; all when missing
   * @throws {PlatformError} consents.not_found, contact_data.decision_invalid
   */
  async decline(
    customerId: string,
    consentId: string,
    rowIds: readonly string[] | undefined,
  ): Promise<Connection> {
    return this.#settle(customerId, consentId, [], async (writer, connection, rows) => {
      const named = (rowIds ?? rows.map((row) => row.id)).map((rowId) => ({ rowId }));
      const declined = [...pairRows(rows, named).keys()];
      if (declined.length === 0) throw new PlatformError('contact_data.decision_invalid');
      return declineRows(writer, connection, declined, this.#deps.clock.now());
    });
  }

  /** Passes the rows of an open consent to `decide`, under the connection's locks, and raises the events it returns. */
  async #settle(
    customerId: string,
    consentId: string,
    decided: readonly Decided[],
    decide: (
      writer: Writer,
      connection: ConnectionRow,
      rows: RequestFieldRow[],
      registered: Registered,
    ) => Promise<RaisedEvent[]>,
  ): Promise<Connection> {
    const { customers, database, side } = this.#deps;
    const found = await connectionOfConsent(database.reader, customerId, consentId);
    if (found === undefined) throw new PlatformError('consents.not_found');
    try {
      return await customers.change(customerId, found.id, decided, async (writer, connection, registered) => {
        const rows = await requestRows(writer, connection.service_id);
        const pending = await ownPending(writer, { customerId, connectionId: connection.id });
        const consent = openConsent(side.customer, rows, pending);
        // Since the customer read the list, the consent was answered elsewhere or replaced by a newer publish.
        if (consent?.id !== consentId) throw new PlatformError('consents.not_found');
        return decide(writer, connection, consent.rows, registered);
      });
    } catch (error) {
      if (error instanceof PlatformError && error.key === 'connections.not_found') {
        throw new PlatformError('consents.not_found', { cause: error });
      }
      throw error;
    }
  }
}
