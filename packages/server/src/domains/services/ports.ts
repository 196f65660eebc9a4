import type { AccountEventName } from '@symbolon/protocol';
import type { Writer } from '../../db/database.ts';
import type { RowsLeft } from '../../db/table-registry.ts';
import type { RequestFieldRow } from './services/tables.ts';

/** A publish of request fields: rows by what happens to them. */
export interface PublishedRows {
  /** How many connections the service has. */
  readonly connections: number;
  readonly before: readonly RequestFieldRow[];
  readonly removed: readonly RequestFieldRow[];
  readonly kept: readonly RequestFieldRow[];
  readonly added: readonly RequestFieldRow[];
}

/** The rows that ask for a one-time answer from now on: their live answers become snapshots. */
export function turnedOneTime({ before, kept }: Pick<PublishedRows, 'before' | 'kept'>): RequestFieldRow[] {
  const lasting = new Set(before.filter((row) => row.one_time === 0).map((row) => row.id));
  return kept.filter((row) => row.one_time === 1 && lasting.has(row.id));
}

interface Ref {
  readonly companyId: string;
  readonly serviceId: string;
}

/** A service whose row is gone. */
export interface DeletedService extends Ref {
  /** The codes that its customers knew it by. */
  readonly codes: { readonly company: string; readonly service: string };
  /** How many connections it had. */
  readonly connections: number;
  /** Its rows that are still there. */
  readonly left: readonly RowsLeft[];
}

/** The customers of a service, and what its configuration means for them. The caller holds the service's lock. */
export interface ServiceCustomers {
  /**
   * Leaves to a worker what becomes of the answers to rows that are removed or turn one-time. Readers see it at once.
   * @throws {PlatformError} service.busy while too many jobs wait for the worker
   */
  published(writer: Writer, ref: Ref, rows: PublishedRows): Promise<void>;
  keyReplaced(writer: Writer, ref: Ref, key: { publicKey: string; fingerprint: string }): Promise<void>;
  /** Has a worker notify every company that is a customer. */
  tellCompanies(writer: Writer, ref: Ref, event: AccountEventName): Promise<void>;
  /** Leaves to a job what is to be done after a service was deleted. */
  serviceDeleted(writer: Writer, service: DeletedService): Promise<void>;
}
