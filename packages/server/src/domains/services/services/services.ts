import { fingerprint } from '@symbolon/crypto';
import { type Audience, type CreateServiceRequest, limits, type Service } from '@symbolon/protocol';
import { normalizeEmail } from '../../../access/email.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import { deleteRow } from '../../../db/table-registry.ts';
import { flag } from '../../../db/tables.ts';
import type { Clients } from '../../clients/index.ts';
import type { RecoveryCopies } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Jobs, ServiceLogs } from '../../operations/index.ts';
import type { ServiceCustomers } from '../ports.ts';
import { checkServiceKey } from './key-material.ts';
import {
  companyCodeOf,
  countServices,
  insertService,
  serviceOf,
  servicesOf,
  shareCodeTaken,
  updateService,
} from './store.ts';
import type { ServiceRow } from './tables.ts';

/** A service of a company, as every route addresses it. */
export interface ServiceRef {
  readonly companyId: string;
  readonly serviceId: string;
  /** Recorded in the audit log. */
  readonly actor?: Actor;
}

const SHARE_CODE_LENGTH = 6;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'tables'> {
  readonly logs: ServiceLogs;
  readonly clients: Clients;
  readonly recovery: RecoveryCopies;
  readonly customers: ServiceCustomers;
  readonly jobs: Jobs;
}

/** Services: how they are made, changed and deleted (wire 2.2, 4.6). Services of other companies are not found. */
export class Services {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Creates a service from keys that were made on the caller's device.
   * @throws {PlatformError} services.admin_email_invalid, services.public_key_invalid,
   *   services.encrypted_private_key_invalid, services.private_key_pem_invalid, services.limit_reached,
   *   contact_data.wrapper_invalid
   */
  async create(companyId: string, request: CreateServiceRequest, actor?: Actor): Promise<Service> {
    const adminEmail = requireEmail(request.admin_email);
    const passphraseCopy = await checkServiceKey(request);

    const now = this.#deps.clock.now();
    const row: ServiceRow = {
      company_id: companyId,
      id: this.#deps.ids.uuid(),
      name: request.name.trim(),
      share_code: this.#deps.ids.code(SHARE_CODE_LENGTH),
      admin_email: adminEmail,
      audience: 'both',
      require_2fa: 0,
      number_matching: 0,
      public_key: request.public_key,
      public_key_sha256: await fingerprint(request.public_key),
      encrypted_private_key: JSON.stringify(request.encrypted_private_key),
      private_key_pem: request.private_key_pem ?? null,
      request_version: 1,
      share_version: 1,
      connection_count: 0,
      connections_ended: 0,
      consent_id: null,
      asked_version: 0,
      created_at: now,
      updated_at: now,
    };
    const ref: ServiceRef = { companyId, serviceId: row.id, ...(actor === undefined ? {} : { actor }) };
    return writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      if ((await countServices(writer, companyId)) >= limits.servicesMost) {
        throw new PlatformError('services.limit_reached');
      }
      const companyCode = await companyCodeOf(writer, companyId);
      // The company was deleted while its request was under way.
      if (companyCode === '') throw new PlatformError('auth.invalid');
      while (!(await insertService(writer, row))) row.share_code = this.#deps.ids.code(SHARE_CODE_LENGTH);
      if (passphraseCopy !== undefined) await this.#deps.recovery.keepPassphrase(writer, ref, passphraseCopy);
      await this.#log(writer, ref, 'Service created', {});
      return toService(row, companyCode);
    });
  }

  async list(
    companyId: string,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; items: Service[] }> {
    const { reader } = this.#deps.database;
    const [rows, total, code] = await Promise.all([
      servicesOf(reader, companyId, page),
      countServices(reader, companyId),
      companyCodeOf(reader, companyId),
    ]);
    return { total, items: rows.map((row) => toService(row, code)) };
  }

  /** @throws {PlatformError} services.not_found */
  async get(ref: ServiceRef): Promise<Service> {
    return this.view(this.#deps.database.reader, ref);
  }

  /** @throws {PlatformError} services.not_found unless the company owns the service */
  async require(reader: Reader, ref: ServiceRef): Promise<ServiceRow> {
    const row = await serviceOf(reader, ref.companyId, ref.serviceId);
    if (row === undefined) throw new PlatformError('services.not_found');
    return row;
  }

  /** @throws {PlatformError} services.not_found */
  async rename(ref: ServiceRef, name: string): Promise<Service> {
    return this.#change(ref, { name: name.trim() }, 'Service renamed', { name: name.trim() });
  }

  /** @throws {PlatformError} services.not_found, services.admin_email_invalid */
  async setAdminEmail(ref: ServiceRef, email: string): Promise<Service> {
    return this.#change(ref, { admin_email: requireEmail(email) }, 'Admin e-mail changed', {});
  }

  /** @throws {PlatformError} services.not_found, services.share_code_taken */
  async setShareCode(ref: ServiceRef, shareCode: string): Promise<Service> {
    return this.#deps.database.write(async (writer) => {
      // The company is locked, for the code is unique among its services.
      await lock(this.#deps.database.engine, writer, 'companies', [ref.companyId]);
      await this.require(writer, ref);
      if (await shareCodeTaken(writer, ref.companyId, shareCode, ref.serviceId)) {
        throw new PlatformError('services.share_code_taken');
      }
      await updateService(writer, ref.serviceId, {
        share_code: shareCode,
        updated_at: this.#deps.clock.now(),
      });
      await this.#log(writer, ref, 'Share code changed', { share_code: shareCode });
      return this.view(writer, ref);
    });
  }

  /** @throws {PlatformError} services.not_found */
  async setAudience(ref: ServiceRef, audience: Audience): Promise<Service> {
    return this.#change(ref, { audience }, 'Audience changed', { audience });
  }

  /** @throws {PlatformError} services.not_found */
  async setRequireTwoFactor(ref: ServiceRef, value: boolean): Promise<Service> {
    return this.#change(ref, { require_2fa: flag(value) }, 'Flag require_2fa changed', {
      require_2fa: value,
    });
  }

  /** @throws {PlatformError} services.not_found */
  async setNumberMatching(ref: ServiceRef, value: boolean): Promise<Service> {
    return this.#change(ref, { number_matching: flag(value) }, 'Number matching changed', {
      number_matching: value,
    });
  }

  /**
   * Deletes a service. For every reader it is gone at once; a job ends its connections, tells the companies among its
   * customers, and deletes what else there may be many rows of.
   * @param confirmed whether its connections may end too
   * @throws {PlatformError} services.not_found, services.has_connections
   */
  async delete(ref: ServiceRef, confirmed: boolean): Promise<void> {
    await writeLocked(this.#deps.database, 'services', ref.serviceId, async (writer) => {
      const row = await this.require(writer, ref);
      if (row.connection_count > 0 && !confirmed) {
        throw new PlatformError('services.has_connections', {
          details: { connections: row.connection_count },
        });
      }
      // The log of the service goes with it; the audit log stays.
      await this.#log(writer, ref, 'Service deleted', { name: row.name });
      const companyCode = await companyCodeOf(writer, ref.companyId);
      await this.#deps.clients.deleteForService(writer, ref);
      await this.#deps.recovery.dropForService(writer, ref);
      const { companyId, serviceId: id } = ref;
      const left = await deleteRow(writer, this.#deps.tables, { table: 'services', id, companyId });
      await this.#deps.customers.serviceDeleted(writer, {
        ...ref,
        left,
        codes: { company: companyCode, service: row.share_code },
        connections: row.connection_count,
      });
    });
  }

  /** Part of deleting a company: deletes its services. */
  async closeDown(companyId: string): Promise<void> {
    const page = { limit: limits.servicesMost, offset: 0 };
    for (const { id } of await servicesOf(this.#deps.database.reader, companyId, page)) {
      try {
        await this.delete({ companyId, serviceId: id }, true);
      } catch (error) {
        // Another process deletes the same company, or earlier jobs must end first: the next run goes on.
        const passes = ['services.not_found', 'service.busy'] as const;
        if (!(error instanceof PlatformError && passes.some((key) => key === error.key))) throw error;
      }
    }
  }

  /** Whether a company has no service, and no job is left of any. */
  async isClosedDown(writer: Writer, companyId: string): Promise<boolean> {
    // A service is created under this lock.
    await lock(this.#deps.database.engine, writer, 'companies', [companyId]);
    return (
      (await countServices(writer, companyId)) === 0 && !(await this.#deps.jobs.isBusy(writer, companyId))
    );
  }

  /** The wire's form of a service, in the caller's transaction. @throws {PlatformError} services.not_found */
  async view(reader: Reader, ref: ServiceRef): Promise<Service> {
    return toService(await this.require(reader, ref), await companyCodeOf(reader, ref.companyId));
  }

  async #change(
    ref: ServiceRef,
    changes: Partial<ServiceRow>,
    message: string,
    metadata: Record<string, unknown>,
  ): Promise<Service> {
    return writeLocked(this.#deps.database, 'services', ref.serviceId, async (writer) => {
      await this.require(writer, ref);
      await updateService(writer, ref.serviceId, { ...changes, updated_at: this.#deps.clock.now() });
      await this.#log(writer, ref, message, metadata);
      return this.view(writer, ref);
    });
  }

  #log(writer: Writer, ref: ServiceRef, message: string, metadata: Record<string, unknown>): Promise<void> {
    return this.#deps.logs.write(writer, { ...ref, type: 'config', message, metadata });
  }
}

function requireEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email === undefined) throw new PlatformError('services.admin_email_invalid');
  return email;
}

function toService(row: ServiceRow, companyCode: string): Service {
  return {
    id: row.id,
    name: row.name,
    share_code: row.share_code,
    company_code: companyCode,
    admin_email: row.admin_email,
    audience: row.audience,
    require_2fa: row.require_2fa === 1,
    number_matching: row.number_matching === 1,
    public_key: row.public_key,
    public_key_sha256: row.public_key_sha256,
    connection_count: row.connection_count,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
