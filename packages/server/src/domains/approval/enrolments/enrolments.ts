import { levelAtLeast, levelGates, limits, type TwoFactorEnrollment } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import { companyById } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { PersonDeletionHook } from '../../participation.ts';
import type { PendingChallenges } from '../ports.ts';
import {
  countEnrolments,
  deleteEnrolment,
  enrolmentById,
  enrolmentOf,
  enrolmentsOf,
  insertEnrolment,
  type ListedEnrolment,
  updateEnrolment,
} from './store.ts';
import type { EnrolmentRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly pending: PendingChallenges;
}

/** Who enrols where. */
export interface NewEnrolment {
  readonly personId: string;
  readonly companyId: string;
  readonly serviceId: string;
  /** The sign-in app through which the person enrols. */
  readonly appId: string | null;
}

/** Enrolments: which services may ask a person to approve (wire 4.5). */
export class Enrolments implements PersonDeletionHook {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether people can enrol with a company's services; those who have keep their enrolment whatever the level. */
  async canEnrol(reader: Reader, companyId: string): Promise<boolean> {
    const company = await companyById(reader, companyId);
    return company !== undefined && levelAtLeast(company.level, levelGates.twoFactorEnrolment);
  }

  async isEnrolled(reader: Reader, serviceId: string, personId: string): Promise<boolean> {
    return (await enrolmentOf(reader, serviceId, personId)).length > 0;
  }

  /**
   * Enrols a person in the caller's transaction, which may have locked nothing behind people. Who is enrolled stays so.
   * @throws {PlatformError} twofa.level_required, twofa.enrollments_limit
   */
  async enrol(writer: Writer, { personId, companyId, serviceId, appId }: NewEnrolment): Promise<void> {
    await lock(this.#deps.database.engine, writer, 'persons', [personId]);
    const [present] = await enrolmentOf(writer, serviceId, personId);
    if (present !== undefined) return;
    if (!(await this.canEnrol(writer, companyId))) throw new PlatformError('twofa.level_required');
    if ((await countEnrolments(writer, personId)) >= limits.enrolmentsMost)
      throw new PlatformError('twofa.enrollments_limit');
    await insertEnrolment(writer, {
      company_id: companyId,
      id: this.#deps.ids.uuid(),
      service_id: serviceId,
      person_id: personId,
      app_id: appId,
      muted: 0,
      denials: 0,
      denied_at: null,
      created_at: this.#deps.clock.now(),
    });
  }

  async list(personId: string): Promise<{ enrollments: TwoFactorEnrollment[] }> {
    const rows = await enrolmentsOf(this.#deps.database.reader, personId);
    return { enrollments: rows.map(toEnrollment) };
  }

  /** A muted service can ask nothing, and what it asks now is revoked. @throws {PlatformError} twofa.enrollment_not_found */
  async setMuted(personId: string, id: string, muted: boolean): Promise<TwoFactorEnrollment> {
    const changes = { muted: flag(muted) };
    const row = await this.#change(personId, id, async (writer, before) => {
      await updateEnrolment(writer, before, changes);
      return muted;
    });
    return toEnrollment({ ...row, ...changes });
  }

  /** Ends an enrolment; what the service asks now is revoked. @throws {PlatformError} twofa.enrollment_not_found */
  async revoke(personId: string, id: string): Promise<void> {
    await this.#change(personId, id, async (writer, row) => {
      await deleteEnrolment(writer, row);
      return true;
    });
  }

  /** Part of deleting an account. */
  async bonds(personId: string): Promise<readonly string[]> {
    return (await enrolmentsOf(this.#deps.database.reader, personId)).map(({ id }) => id);
  }

  async end(personId: string, id: string): Promise<void> {
    await this.revoke(personId, id);
  }

  /**
   * @param change tells whether challenges that wait are to be revoked
   * @returns the enrolment before the change
   */
  async #change(
    personId: string,
    id: string,
    change: (writer: Writer, row: EnrolmentRow) => Promise<boolean>,
  ): Promise<ListedEnrolment> {
    const { database, pending } = this.#deps;
    const { row, closed } = await database.write(async (writer) => {
      await lock(database.engine, writer, 'persons', [personId]);
      const row = await enrolmentById(writer, personId, id);
      if (row === undefined) throw new PlatformError('twofa.enrollment_not_found');
      const revokes = await change(writer, row);
      const asked = { serviceId: row.service_id, personId };
      return { row, closed: revokes ? await pending.revoke(writer, asked) : [] };
    });
    pending.tellClosed(personId, closed);
    return row;
  }
}

function toEnrollment(row: ListedEnrolment): TwoFactorEnrollment {
  return {
    enrollment_id: row.id,
    service: { id: row.service_id, name: row.service_name, share_code: row.service_code },
    company: { user_id: row.company_id, display_name: row.company_name, company_code: row.company_code },
    muted: row.muted === 1,
    created_at: isoTime(row.created_at),
  };
}
