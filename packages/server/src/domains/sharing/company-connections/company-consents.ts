import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerConsent, CustomerDecision, ServiceLink } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import type { RaisedEvent } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import { requestRows } from '../../services/index.ts';
import type { ConnectionRow } from '../connections/index.ts';
import {
  changeSlots,
  connectionWithConsent,
  declineRows,
  openConsent,
  pairRows,
  pendingRows,
} from '../connections/index.ts';
import type { CompanyConnections } from './company-connections.ts';
import { companyAnswer, readCompanyDecisions } from './company-decisions.ts';
import { viewCompanyConsents } from './company-views.ts';

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly companyConnections: CompanyConnections;
  readonly registry: FieldTypeRegistry;
}

/** What a service asked for after a company connected: as with people, the link stands whatever is answered (wire 6.1). */
export class CompanyConsents {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(companyId: string): Promise<CustomerConsent[]> {
    return viewCompanyConsents(this.#deps.database.reader, companyId);
  }

  /**
   * Answers some or all of the rows that are open.
   * @throws {PlatformError} consents.not_found, and what company-decisions.ts refuses
   */
  async provide(
    companyId: string,
    consentId: string,
    decisions: readonly CustomerDecision[],
  ): Promise<ServiceLink> {
    const decided = readCompanyDecisions(decisions);
    return this.#settle(companyId, consentId, async (writer, link, rows) => {
      const byRow = pairRows(rows, decided);
      if (byRow.size === 0) throw new PlatformError('contact_data.decision_invalid');
      const provided = [...byRow].map(([row, decision]) => companyAnswer(row, decision, this.#deps.registry));
      return changeSlots(writer, link, { provided, updated: [], dropped: [] }, this.#deps.clock.now());
    });
  }

  /**
   * Declines rows that are open: those named, or all.
   * @throws {PlatformError} consents.not_found, contact_data.decision_invalid
   */
  async decline(
    companyId: string,
    consentId: string,
    rowIds: readonly string[] | undefined,
  ): Promise<ServiceLink> {
    return this.#settle(companyId, consentId, async (writer, link, rows) => {
      const named = (rowIds ?? rows.map((row) => row.id)).map((rowId) => ({ rowId }));
      const declined = [...pairRows(rows, named).keys()];
      if (declined.length === 0) throw new PlatformError('contact_data.decision_invalid');
      return declineRows(writer, link, declined, this.#deps.clock.now());
    });
  }

  /** Hands the rows of an open consent to `decide`, under the link's locks; raises the events it gives. */
  async #settle(
    companyId: string,
    consentId: string,
    decide: (writer: Writer, link: ConnectionRow, rows: RequestFieldRow[]) => Promise<RaisedEvent[]>,
  ): Promise<ServiceLink> {
    const seen = await connectionWithConsent(this.#deps.database.reader, companyId, consentId);
    if (seen === undefined) throw new PlatformError('consents.not_found');
    try {
      return await this.#deps.companyConnections.changeOwn(companyId, seen.id, async (writer, link) => {
        const rows = await requestRows(writer, link.service_id);
        const consent = openConsent('company', rows, await pendingRows(writer, link));
        // Answered elsewhere, or joined to a newer publish, since it was shown.
        if (consent?.id !== consentId) throw new PlatformError('consents.not_found');
        return decide(writer, link, consent.rows);
      });
    } catch (error) {
      if (error instanceof PlatformError && error.key === 'connections.not_found') {
        throw new PlatformError('consents.not_found', { cause: error });
      }
      throw error;
    }
  }
}
