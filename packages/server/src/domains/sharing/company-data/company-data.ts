import { setImmediate as turn } from 'node:timers/promises';
import type {
  CompanyConnection,
  CompanyConnectionRow,
  CompanyRequestField,
  CompanyRequestRow,
  CompanyValue,
  LogEntry,
  RowPlugin,
} from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import type { StoredBlob } from '../../../core/blobs.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { PartedPage } from '../../../core/parted-page.ts';
import { type GoneFile, goneFile, type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { lock, type Reader } from '../../../db/database.ts';
import type { NewestPaging, Paging } from '../../../db/page.ts';
import { companyValue } from '../../../events/answers.ts';
import type { Core } from '../../domain.ts';
import { type Actor, type Audit, type Blobs, countOf } from '../../operations/index.ts';
import { listedService, requestRows, toRequestField } from '../../services/index.ts';
import type { ConnectionDocuments } from '../connections/connection-documents.ts';
import type { Connections } from '../connections/connections.ts';
import { liveOf } from '../connections/decisions.ts';
import { identityOf } from './customer-filter.ts';
import {
  answerBytesOf,
  connectionIdAt,
  connectionsAfter,
  countersOf,
  type ListedConnection,
  listedConnection,
  logsOf,
  pendingOf,
  type RowName,
  rowNamesOf,
  type ServiceRef,
  type SlotRow,
  slotsOf,
  slotValue,
  standingOf,
} from './store.ts';

/** What is read and serialised in one turn of the event loop: a few milliseconds. */
const PART_BYTES = 128 * 1024;
/** Connections whose answers are measured in one turn: with SQLite others wait for it, some 3 ms. */
const MEASURED_AT_ONCE = 100;
/** What a connection has beside its answers: its own members, and for each request row an answer's members or a pending slug. */
const CONNECTION_BYTES = 256;
const ROW_BYTES = 64;

/** Keys that one query skips over: with SQLite others wait for it, some 2 ms. */
const SKIPPED_AT_ONCE = 20_000;

/** A page that begins after an id, or at an offset. */
interface KeyPageOf extends Paging {
  readonly after: string | undefined;
}

/** The fields of published flows, which stand in the list of request rows. */
export type FlowRequestRows = (reader: Reader, service: ServiceRef) => Promise<CompanyRequestRow[]>;

/**
 * What data clients read of a row (wire 2.5). Every member is named: a new one of the row reaches programs in the field
 * only when their schema has it, and then it must stand here.
 */
export function toCompanyField(row: Parameters<typeof toRequestField>[0]): CompanyRequestField {
  const { plugin, ...of } = toRequestField(row);
  const field = {
    id: of.id,
    slug: of.slug,
    label: of.label,
    type: of.type,
    one_time: of.one_time,
    mandatory_provide: of.mandatory_provide,
    mandatory_connected: of.mandatory_connected,
    verified: of.verified,
    verified_max_age_days: of.verified_max_age_days,
  } satisfies Record<Exclude<keyof CompanyRequestField, 'plugin'>, unknown>;
  if (plugin === undefined) return field;
  const told = {
    plugin_name: plugin.plugin_name,
    field_type: plugin.field_type,
    snapshot: plugin.snapshot,
  } satisfies Record<keyof RowPlugin, unknown>;
  return { ...field, plugin: told };
}

interface Deps extends Pick<Core, 'database'> {
  readonly connections: Connections;
  readonly blobs: Blobs;
  readonly audit: Audit;
  readonly connectionDocuments: ConnectionDocuments;
  readonly flowRequestRows: FlowRequestRows;
}

/** What a data client reads of its service, and how it ends a connection (wire 4.2). */
export class CompanyData {
  readonly #deps: Deps;
  /**
   * Where pages of a connection list begin: the id of the last row before an offset. With it the next page continues by
   * key instead of skipping all rows before it. Rows are only added at the end, so an entry is good until a connection
   * ends; the number of ended connections is part of its key.
   */
  readonly #pageStarts = new LRUCache<string, string>({ max: 20_000 });

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What the service and its company are called. */
  async names(serviceId: string): Promise<{ company_name?: string; service_name?: string }> {
    const service = await listedService(this.#deps.database.reader, serviceId);
    return service === undefined ? {} : { company_name: service.company_name, service_name: service.name };
  }

  /** Fields of flows stand first: clients keep the last type that they see for a slug. */
  async requestFields(service: ServiceRef): Promise<CompanyRequestRow[]> {
    const { reader } = this.#deps.database;
    const ofFlows = await this.#deps.flowRequestRows(reader, service);
    const rows = await requestRows(reader, service.serviceId);
    return [...ofFlows, ...rows.map(toCompanyField)];
  }

  /**
   * Oldest first. A page after an id costs the same wherever it is: the id is a place in the order and need not exist (any
   * more). Any offset costs the same once the page before it was read; a cold one skips over keys.
   */
  async connections(service: ServiceRef, page: KeyPageOf): Promise<PartedPage<CompanyConnectionRow>> {
    const { reader } = this.#deps.database;
    const { companyId, serviceId } = service;
    const [counters] = await countersOf(reader, companyId, serviceId);
    const total = counters?.connection_count ?? 0;
    const ended = counters?.connections_ended ?? 0;
    if (page.offset >= total) return { total, parts: [] };
    const after = page.after ?? (await this.#lastBefore(service, ended, page.offset));
    if (after === undefined) return { total, parts: [] };
    const rows = await connectionsAfter(reader, companyId, serviceId, after, page.limit);
    const last = rows.at(-1);
    // A page that is not full is the last one: the next connection is not known to begin after it.
    if (page.after === undefined && last !== undefined && rows.length === page.limit) {
      this.#pageStarts.set(pageKey(serviceId, ended, page.offset + page.limit), last.id);
    }
    const split = await this.#partsOf(service, rows);
    let missing = 0;
    const parts = split.map((part, index) => async () => {
      const items = await this.#connectionsFrom(service, part);
      missing += part.length - items.length;
      const isLast = index === split.length - 1;
      const more =
        isLast && rows.length === page.limit ? await this.#more(service, last?.id ?? '', missing) : [];
      return [...items, ...more].map(toListRow);
    });
    return { total, parts };
  }

  /** Clients end at a page that is not full: in place of those that ended while it was read the next ones are on it. */
  async #more(service: ServiceRef, after: string, most: number): Promise<CompanyConnection[]> {
    const { companyId, serviceId } = service;
    const found: CompanyConnection[] = [];
    for (let begin = after; found.length < most; ) {
      const rows = await connectionsAfter(
        this.#deps.database.reader,
        companyId,
        serviceId,
        begin,
        most - found.length,
      );
      begin = rows.at(-1)?.id ?? begin;
      if (rows.length === 0) break;
      found.push(...(await this.#connectionsFrom(service, rows)));
    }
    return found;
  }

  /** @throws {PlatformError} company_data.connection_not_found */
  async connection(service: ServiceRef, id: string): Promise<CompanyConnection> {
    const rows = await listedConnection(this.#deps.database.reader, service.companyId, service.serviceId, id);
    const [connection] = await this.#connectionsFrom(service, rows);
    if (connection === undefined) throw new PlatformError('company_data.connection_not_found');
    return connection;
  }

  /**
   * The file that answers a row, or what is left of it.
   * @throws {PlatformError} company_data.connection_not_found, company_data.file_not_found
   */
  async file(service: ServiceRef, connectionId: string, rowId: string): Promise<StoredFile | GoneFile> {
    const { reader } = this.#deps.database;
    const { companyId, serviceId } = service;
    const [connection] = await listedConnection(reader, companyId, serviceId, connectionId);
    if (connection === undefined) throw new PlatformError('company_data.connection_not_found');
    const names = await rowNamesOf(reader, companyId, serviceId);
    // A row that was removed has no answers, whatever is still stored.
    const isAsked = names.some(({ id }) => id === rowId);
    const [slot] = isAsked ? await slotValue(reader, companyId, connectionId, rowId) : [];
    const file = slot && (storedFile(slot.value) ?? goneFile(slot.value));
    if (file === undefined) throw new PlatformError('company_data.file_not_found');
    return file;
  }

  open(file: StoredFile): Promise<StoredBlob> {
    return this.#deps.blobs.open(file.hash);
  }

  /**
   * Ends a connection from the service's side (wire 3.4).
   * @param actor of the company's staff, whose act its audit log has
   * @throws {PlatformError} company_data.connection_not_found, company_connections.active_contract
   */
  async endConnection(service: ServiceRef, id: string, actor?: Actor): Promise<void> {
    const { engine } = this.#deps.database;
    await this.#deps.database.write(async (writer) => {
      await lock(engine, writer, 'services', [service.serviceId]);
      const [standing] = await countersOf(writer, service.companyId, service.serviceId);
      const [found] = await listedConnection(writer, service.companyId, service.serviceId, id);
      // The connections of a deleted service are ended by a job, which may not have come to this one.
      if (standing === undefined || found === undefined)
        throw new PlatformError('company_data.connection_not_found');
      await lock(engine, writer, 'persons', [found.customer_id]);
      await lock(engine, writer, 'connections', [id]);
      await this.#deps.connectionDocuments.refuseEnding(writer, [id], 'service');
      await this.#deps.connections.end(writer, [found]);
      if (actor === undefined) return;
      const { companyId } = service;
      await this.#deps.audit.record(writer, { companyId, actor, action: 'connection.ended', target: id });
    });
  }

  async logs(service: ServiceRef, page: NewestPaging): Promise<{ total: number; items: LogEntry[] }> {
    const { engine, reader } = this.#deps.database;
    const total = await countOf(engine, reader, 'service_logs', service.serviceId);
    const rows = await logsOf(reader, service, page);
    return {
      total,
      items: rows.map((row) => ({
        id: row.id,
        type: row.type,
        message: row.message,
        metadata: JSON.parse(row.metadata) as Record<string, unknown>,
        created_at: isoTime(row.created_at),
      })),
    };
  }

  /** The id of the last connection before an offset: empty before the first, undefined when there are not that many. */
  async #lastBefore(service: ServiceRef, ended: number, offset: number): Promise<string | undefined> {
    if (offset === 0) return '';
    const { companyId, serviceId } = service;
    const key = pageKey(serviceId, ended, offset);
    const known = this.#pageStarts.get(key);
    if (known !== undefined) return known;
    let last = '';
    for (let left = offset; left > 0; left -= SKIPPED_AT_ONCE) {
      const skipped = Math.min(left, SKIPPED_AT_ONCE) - 1;
      const [row] = await connectionIdAt(this.#deps.database.reader, companyId, serviceId, last, skipped);
      if (row === undefined) return undefined;
      last = row.id;
    }
    this.#pageStarts.set(key, last);
    return last;
  }

  /** A page stays full, for clients end at one that is not; so a large one is read in parts (wire 4.2). */
  async #partsOf(service: ServiceRef, rows: readonly ListedConnection[]): Promise<ListedConnection[][]> {
    const { engine, reader } = this.#deps.database;
    const ids = rows.map(({ id }) => id);
    const sizes = new Map<string, number>();
    const names = await rowNamesOf(reader, service.companyId, service.serviceId);
    const least = CONNECTION_BYTES + names.length * ROW_BYTES;
    for (let at = 0; at < ids.length; at += MEASURED_AT_ONCE) {
      const some = ids.slice(at, at + MEASURED_AT_ONCE);
      for (const { connection_id, bytes } of await answerBytesOf(engine, reader, service.companyId, some)) {
        sizes.set(connection_id, Number(bytes));
      }
      // Reading the page, measuring and reading its first part would be one long turn.
      if (ids.length > MEASURED_AT_ONCE) await turn();
    }
    const parts: ListedConnection[][] = [];
    let room = 0;
    for (const row of rows) {
      const bytes = least + (sizes.get(row.id) ?? 0);
      const part = parts.at(-1);
      if (part === undefined || bytes > room) {
        parts.push([row]);
        room = PART_BYTES;
      } else part.push(row);
      room -= bytes;
    }
    return parts;
  }

  /** Those that stand: one that ended after its row was read has no answers any more, and is left out. */
  async #connectionsFrom(
    service: ServiceRef,
    rows: readonly ListedConnection[],
  ): Promise<CompanyConnection[]> {
    if (rows.length === 0) return [];
    const { engine, reader } = this.#deps.database;
    const { companyId, serviceId } = service;
    const ids = rows.map((row) => row.id);
    const [names, slots, pending] = await Promise.all([
      rowNamesOf(reader, companyId, serviceId),
      slotsOf(engine, reader, companyId, ids),
      pendingOf(engine, reader, service, ids),
    ]);
    const answers = byConnection(slots);
    const unanswered = byConnection(pending);
    const silent = ids.filter((id) => !answers.has(id));
    const standing = silent.length === 0 ? [] : await standingOf(engine, reader, service, silent);
    const stand = new Set([...answers.keys(), ...standing.map(({ id }) => id)]);
    return rows
      .filter(({ id }) => stand.has(id))
      .map((row) => toConnection(row, names, answers.get(row.id), unanswered.get(row.id)));
  }
}

/** The members of a list's rows are in another order than those of one connection (wire 4.2). */
function toListRow(connection: CompanyConnection): CompanyConnectionRow {
  return {
    connection_id: connection.connection_id,
    id: connection.connection_id,
    user_id: connection.user_id,
    display_name: connection.display_name,
    connected_at: connection.connected_at,
    customer_type: connection.customer_type,
    share_code: connection.share_code,
    values: connection.values,
    values_private: connection.values_private,
    pending_consent: connection.pending_consent,
  };
}

type OfSlot = { connection_id: string; request_field_id: string };

/** Rows of slots by their connection and request row. */
function byConnection<T extends OfSlot>(rows: readonly T[]): Map<string, Map<string, T>> {
  const groups = new Map<string, Map<string, T>>();
  for (const row of rows) {
    const group = groups.get(row.connection_id);
    if (group === undefined) groups.set(row.connection_id, new Map([[row.request_field_id, row]]));
    else group.set(row.request_field_id, row);
  }
  return groups;
}

function toConnection(
  row: ListedConnection,
  names: readonly RowName[],
  answers: ReadonlyMap<string, SlotRow> | undefined,
  unanswered: ReadonlyMap<string, OfSlot> | undefined,
): CompanyConnection {
  const values: Record<string, CompanyValue> = {};
  const valuesPrivate: Record<string, boolean> = {};
  const pending: string[] = [];
  for (const name of names) {
    const { id, slug } = name;
    const slot = answers?.get(id);
    if (slot !== undefined) {
      values[slug] = companyValue({ ...slot, live: liveOf(name, slot) });
      valuesPrivate[slug] = slot.private === 1;
    }
    if (unanswered?.has(id)) pending.push(slug);
  }
  return {
    connection_id: row.id,
    ...identityOf(row),
    connected_at: isoTime(row.connected_at),
    values,
    values_private: valuesPrivate,
    pending_consent: pending,
  };
}

function pageKey(serviceId: string, ended: number, offset: number): string {
  return `${serviceId}:${ended}:${offset}`;
}
