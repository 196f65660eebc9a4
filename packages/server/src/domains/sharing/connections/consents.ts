import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Decision, PersonConnection, PersonConsent } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import type { RaisedEvent } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import { requestRows } from '../../services/index.ts';
import { connectionWithConsent, openConsent, pendingRows } from './customer-links.ts';
import { type Decided, pairRows, readDecisions } from './decisions.ts';
import type { PersonConnections } from './person-connections.ts';
import { checkAnswers } from './person-slots.ts';
import { viewConsents } from './person-views.ts';
import type { Registered, SlotHome } from './slot-home.ts';
import { changeSlots, declineRows } from './slots.ts';
import type { ConnectionRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly personConnections: PersonConnections;
  readonly registry: FieldTypeRegistry;
  readonly slotHome: SlotHome;
}

/**
 * What a service asked for after a person connected. The connection stands whatever they answer: even a mandatory row may
 * be declined by those who were there before it (wire 6.1).
 */
export class Consents {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(personId: string): Promise<PersonConsent[]> {
    return viewConsents(this.#deps.database.reader, personId);
  }

  /**
   * Answers some or all of the rows that are open.
   * @throws {PlatformError} consents.not_found, and what decisions.ts refuses
   */
  async provide(
    personId: string,
    consentId: string,
    decisions: readonly Decision[],
  ): Promise<PersonConnection> {
    const decided = readDecisions(decisions);
    return this.#settle(personId, consentId, decided, async (writer, connection, rows, registered) => {
      const byRow = pairRows(rows, decided);
      if (byRow.size === 0) throw new PlatformError('contact_data.decision_invalid');
      const now = this.#deps.clock.now();
      const provided = await checkAnswers(writer, personId, byRow, {
        registry: this.#deps.registry,
        now,
        registered,
      });
      await this.#deps.slotHome.slotsEnding(writer, connection, [...byRow.keys()]);
      const changes = { provided, updated: [], dropped: [] };
      return changeSlots(writer, connection, changes, now);
    });
  }

  /**
   * Declines rows that are open: those named, or all.
   * @throws {PlatformError} consents.not_found, contact_data.decision_invalid
   */
  async decline(
    personId: string,
    consentId: string,
    rowIds: readonly string[] | undefined,
  ): Promise<PersonConnection> {
    return this.#settle(personId, consentId, [], async (writer, connection, rows) => {
      const declined = [
        ...pairRows(
          rows,
          (rowIds ?? rows.map((row) => row.id)).map((rowId) => ({ rowId })),
        ).keys(),
      ];
      if (declined.length === 0) throw new PlatformError('contact_data.decision_invalid');
      return declineRows(writer, connection, declined, this.#deps.clock.now());
    });
  }

  /** Hands the rows of an open consent to `decide`, under the connection's locks; raises the events it gives. */
  async #settle(
    personId: string,
    consentId: string,
    decided: readonly Decided[],
    decide: (
      writer: Writer,
      connection: ConnectionRow,
      rows: RequestFieldRow[],
      registered: Registered,
    ) => Promise<RaisedEvent[]>,
  ): Promise<PersonConnection> {
    const seen = await connectionWithConsent(this.#deps.database.reader, personId, consentId);
    if (seen === undefined) throw new PlatformError('consents.not_found');
    try {
      const change = async (writer: Writer, connection: ConnectionRow, registered: Registered) => {
        const pending = await pendingRows(writer, connection);
        const consent = openConsent('person', await requestRows(writer, connection.service_id), pending);
        // Answered elsewhere, or joined to a newer publish, since it was shown.
        if (consent?.id !== consentId) throw new PlatformError('consents.not_found');
        return decide(writer, connection, consent.rows, registered);
      };
      return await this.#deps.personConnections.changeOwn(personId, seen.id, decided, change);
    } catch (error) {
      if (error instanceof PlatformError && error.key === 'connections.not_found') {
        throw new PlatformError('consents.not_found', { cause: error });
      }
      throw error;
    }
  }
}
