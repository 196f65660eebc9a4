import { setImmediate } from 'node:timers/promises';
import type { AuditAction, CodeMailed, DeletionState, ProofRequest } from '@symbolon/protocol';
import type { UniqueNames } from '../../../access/unique-names.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import { deleteChunk } from '../../../db/table-registry.ts';
import { WriteSteps } from '../../../db/write-steps.ts';
import type { Replication } from '../../../events/replication.ts';
import { CODE_MINUTES, type Notices } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { Endings } from '../../participation.ts';
import { companyById } from './company-store.ts';
import {
  deleteCompanyRow,
  deleteCredentials,
  deleteDeletion,
  deletedTables,
  deletionOf,
  dueDeletions,
  insertDeletion,
  ownersOf,
} from './deletion-store.ts';
import type { LoginCodes } from './login-codes.ts';
import type { Reauthentication } from './reauthentication.ts';
import { deletionCode, deletionConfirmed, deletionDone, deletionWithdrawn } from './security-mails.ts';
import type { PortalPrincipal } from './sessions.ts';
import type { CompanyDeletionRow } from './tables.ts';

/** Between the confirmation and the deletion; an owner can withdraw it in this time. */
export const GRACE_MS = 14 * 24 * 60 * 60 * 1000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'log' | 'mail' | 'tables' | 'timers'> {
  readonly reauthentication: Reauthentication;
  readonly loginCodes: LoginCodes;
  readonly notices: Notices;
  readonly replication: Replication;
  readonly names: UniqueNames;
  readonly endings: Endings;
  readonly audit: Audit;
}

/**
 * Deleting a company, in steps that each make it harder to do by accident and that can be taken back until the last:
 * 1. an owner asks, with password and code; a mail goes out;
 * 2. the code of that mail confirms; the days of grace begin;
 * 3. when they are over, a worker deletes logins and clients, and the services, whose connections jobs end. It ends the
 *    connections to services of other companies. When the jobs are done it deletes the company itself, which ends its
 *    connections in other regions, and then the remaining rows.
 *    An interrupted deletion is resumed, and so is one that waits: the row in `company_deletions` is deleted last.
 */
export class AccountDeletion {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async state(companyId: string): Promise<DeletionState> {
    const row = await deletionOf(this.#deps.database.reader, companyId);
    return {
      pending: row !== undefined,
      confirmed_at: row === undefined ? null : isoTime(row.confirmed_at),
      deletes_at: row === undefined ? null : isoTime(row.due_at),
    };
  }

  /** @throws {PlatformError} account.deletion_pending, rate_limit.exceeded, and those of `Reauthentication.prove` */
  async request(caller: PortalPrincipal, proof: ProofRequest, actor: Actor): Promise<CodeMailed> {
    this.#deps.mail.refuseWhenAway();
    await this.#deps.reauthentication.prove(
      caller,
      'POST /api/account/delete-request',
      proof,
      actor.source ?? '',
    );
    const { reader } = this.#deps.database;
    if ((await deletionOf(reader, caller.companyId)) !== undefined)
      throw new PlatformError('account.deletion_pending');
    const name = (await companyById(reader, caller.companyId))?.name ?? '';
    const { code, expiresAt } = await this.#deps.loginCodes.issue(caller, 'deletion', {
      to: caller.email,
      subject: '',
    });
    await this.#deps.database.write((writer) =>
      this.#record(writer, caller, actor, 'company.deletion_requested'),
    );
    await this.#deps.mail.send(deletionCode(caller.email, code, name, CODE_MINUTES));
    return { expires_at: isoTime(expiresAt) };
  }

  /** @throws {PlatformError} account.code_invalid, account.deletion_pending */
  async confirm(caller: PortalPrincipal, code: string, actor: Actor): Promise<DeletionState> {
    const now = this.#deps.clock.now();
    const { owners, name } = await this.#deps.loginCodes.redeem(caller, 'deletion', code, async (writer) => {
      const company = await companyById(writer, caller.companyId);
      const row: CompanyDeletionRow = {
        company_id: caller.companyId,
        email: company?.email ?? caller.email,
        confirmed_at: now,
        due_at: now + GRACE_MS,
      };
      if (!(await insertDeletion(writer, row))) throw new PlatformError('account.deletion_pending');
      await this.#record(writer, caller, actor, 'company.deletion_confirmed');
      return { owners: await ownersOf(writer, caller.companyId), name: company?.name ?? '' };
    });
    await this.#deps.notices.send(
      ...owners.map((to) => deletionConfirmed(to, name, isoTime(now + GRACE_MS))),
    );
    return this.state(caller.companyId);
  }

  /** @throws {PlatformError} account.deletion_not_pending */
  async withdraw(caller: PortalPrincipal, actor: Actor): Promise<void> {
    const { owners, name } = await writeLocked(
      this.#deps.database,
      'companies',
      caller.companyId,
      async (writer) => {
        if (!(await deleteDeletion(writer, caller.companyId)))
          throw new PlatformError('account.deletion_not_pending');
        await this.#record(writer, caller, actor, 'company.deletion_withdrawn');
        const company = await companyById(writer, caller.companyId);
        return { owners: await ownersOf(writer, caller.companyId), name: company?.name ?? '' };
      },
    );
    await this.#deps.notices.send(...owners.map((to) => deletionWithdrawn(to, name)));
  }

  /** Deletes the companies whose grace is over; an interrupted deletion goes on where it stopped. */
  async run(stopping: AbortSignal): Promise<void> {
    for (const due of await dueDeletions(this.#deps.database.reader, this.#deps.clock.now())) {
      if (stopping.aborted) return;
      if (!(await this.#delete(due.company_id, stopping))) continue;
      this.#deps.log.info({ company: due.company_id }, 'company deleted');
      await this.#deps.notices.send(deletionDone(due.email));
    }
  }

  /** False when it was withdrawn, waits for jobs, another process did it, or this process is stopping. */
  async #delete(companyId: string, stopping: AbortSignal): Promise<boolean> {
    const { database, endings, names, replication } = this.#deps;
    const closed = await writeLocked(database, 'companies', companyId, async (writer) => {
      if ((await deletionOf(writer, companyId)) === undefined) return false;
      await deleteCredentials(writer, companyId);
      return true;
    });
    if (!closed) return false;
    for (const hook of endings.company) await hook.closeDown?.(companyId);
    await this.#endSharing(companyId, stopping);
    if (stopping.aborted) return false;
    const gone = await database.write(async (writer) => {
      for (const hook of endings.company) {
        if ((await hook.isClosedDown?.(writer, companyId)) === false) return false;
      }
      for (const hook of endings.company) await hook.dropForCompany?.(writer, companyId);
      await deleteCompanyRow(writer, companyId);
      await replication.companyDeleted(writer, companyId);
      return true;
    });
    if (!gone) return false;
    // It may have connected to a service again in the meantime; without its row it cannot.
    await this.#endSharing(companyId, stopping);
    if (!(await this.#deleteRows(companyId, stopping))) return false;
    await names.release({ kind: 'company', id: companyId });
    return database.write((writer) => deleteDeletion(writer, companyId));
  }

  /** Ends what the company has with other companies, and tells them. */
  async #endSharing(companyId: string, stopping: AbortSignal): Promise<void> {
    for (const hook of this.#deps.endings.company) {
      while (!stopping.aborted && (await hook.endSharing?.(companyId))) await setImmediate();
    }
  }

  /** Deletes the rows of all tables, in short steps. @returns false when the process is stopping */
  async #deleteRows(companyId: string, stopping: AbortSignal): Promise<boolean> {
    const { engine } = this.#deps.database;
    const tables = deletedTables(this.#deps.tables);
    const steps = new WriteSteps(this.#deps);
    // A request that began before the logins were deleted may still write, so the last pass must find nothing.
    for (let found = true; found; ) {
      found = false;
      for (let at = 0; at < tables.length; ) {
        if (stopping.aborted) return false;
        const step = await steps.take(async (writer, most) => {
          let [rows, table] = [0, at];
          for (; rows < most && table < tables.length; table++) {
            const dependent = tables[table];
            if (dependent === undefined) break;
            rows += await deleteChunk(engine, writer, dependent, companyId, most - rows);
          }
          // The last table may have more.
          return { rows, at: rows < most ? table : table - 1 };
        });
        at = step.at;
        found ||= step.rows > 0;
      }
    }
    return true;
  }

  #record(writer: Writer, caller: PortalPrincipal, actor: Actor, action: AuditAction): Promise<void> {
    return this.#deps.audit.record(writer, {
      companyId: caller.companyId,
      actor,
      action,
      target: caller.companyId,
    });
  }
}
