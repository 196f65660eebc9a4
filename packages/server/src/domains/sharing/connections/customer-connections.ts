import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { Outbox, RaisedEvent } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import { findService, type ListedService, listedService, requestRows } from '../../services/index.ts';
import { ownConnection } from './customer-store.ts';
import { type Decided, refuseMissing, staysFor } from './decisions.ts';
import type { Side } from './side.ts';
import type { Registered } from './slot-home.ts';
import { planOf } from './slot-plans.ts';
import { answeredRowsOf } from './slot-store.ts';
import { changeSlots, storeAnswers } from './slots.ts';
import { insertConnection } from './store.ts';
import type { ConnectionRow } from './tables.ts';

interface Deps<Connection, Consent> extends Pick<Core, 'clock' | 'database'> {
  readonly outbox: Outbox;
  readonly side: Side<Connection, Consent>;
}

/** A customer's connections: the rules that are the same for people and companies. */
export class CustomerConnections<Connection, Consent> {
  readonly #deps: Deps<Connection, Consent>;

  constructor(deps: Deps<Connection, Consent>) {
    this.#deps = deps;
  }

  /**
   * Writes a new connection with its answers.
   * @param service as it is under its lock, which the caller holds
   * @throws {PlatformError} connections.exists, contact_data.mandatory_missing, and what `answerOf` throws
   */
  async begin(
    writer: Writer,
    service: ListedService,
    customer: Pick<ConnectionRow, 'id' | 'customer_id' | 'group_id'>,
    { decided, registered }: { decided: readonly Decided[]; registered: Registered },
  ): Promise<ConnectionRow> {
    const { side } = this.#deps;
    const connection: ConnectionRow = {
      company_id: service.company_id,
      service_id: service.id,
      customer_type: side.customer,
      connected_at: this.#deps.clock.now(),
      request_version: service.request_version,
      ...customer,
    };
    if (!(await insertConnection(writer, connection))) throw new PlatformError('connections.exists');
    const rows = await requestRows(writer, service.id);
    const byRow = side.pair(rows, decided, new Set());
    refuseMissing(side.customer, rows, byRow);
    const answers = await side.answers(writer, customer.customer_id, byRow, registered);
    await storeAnswers(writer, connection, answers, connection.connected_at);
    return connection;
  }

  /**
   * Changes the answers that are named; all others stay as they are. Clients send only what they edit.
   * @throws {PlatformError} connections.not_found, contact_data.mandatory, and what `answerOf` throws
   */
  async remap(customerId: string, id: string, decided: readonly Decided[]): Promise<Connection> {
    const { side, clock } = this.#deps;
    return this.change(customerId, id, decided, async (writer, connection, registered) => {
      const rows = await requestRows(writer, connection.service_id);
      const answered = await answeredRowsOf(writer, connection);
      const byRow = side.pair(rows, decided, answered);
      // Removing an answer twice is no error: a client may repeat what it did not hear the end of.
      const dropped = [...byRow]
        .filter(([row, decision]) => decision.kind === 'remove' && answered.has(row.id))
        .map(([row]) => row);
      if (dropped.some((row) => staysFor(side.customer, row))) {
        throw new PlatformError('contact_data.mandatory');
      }
      const changed = new Map([...byRow].filter(([, decision]) => decision.kind !== 'remove'));
      const answers = await side.answers(writer, customerId, changed, registered);
      await side.slotHome.slotsEnding(writer, connection, [...dropped, ...changed.keys()]);
      const changes = {
        provided: answers.filter(({ row }) => !answered.has(row.id)),
        updated: answers.filter(({ row }) => answered.has(row.id)),
        dropped,
      };
      return changeSlots(writer, connection, changes, clock.now());
    });
  }

  /**
   * Runs a change of a customer's connection in a transaction that holds its locks, and raises the events that the change
   * returns.
   * @param decided the answers that the change gives
   * @returns the connection after the change
   * @throws {PlatformError} connections.not_found
   */
  async change(
    customerId: string,
    id: string,
    decided: readonly Decided[],
    change: (writer: Writer, connection: ConnectionRow, registered: Registered) => Promise<RaisedEvent[]>,
  ): Promise<Connection> {
    const { database, outbox, side } = this.#deps;
    const plan = async (reader: Reader) => {
      const connection = await ownConnection(reader, customerId, id);
      const service = connection && (await listedService(reader, connection.service_id));
      return service && planOf(service, id, await requestRows(reader, service.id), decided);
    };
    return side.slotHome.register(customerId, plan, (registered) =>
      database.write(async (writer) => {
        const connection = await this.lock(writer, customerId, id);
        await registered.confirm(() => listedService(writer, connection.service_id));
        const events = await change(writer, connection, registered);
        const view = await this.view(writer, customerId, id);
        await outbox.raise(writer, events);
        return view;
      }),
    );
  }

  /**
   * Locks a connection with its service: a publish that takes a row away, or the service's deletion, must not come between
   * what is read and what is written.
   * @throws {PlatformError} connections.not_found
   */
  async lock(writer: Writer, customerId: string, id: string): Promise<ConnectionRow> {
    const { engine } = this.#deps.database;
    const found = await this.#require(writer, customerId, id);
    await lock(engine, writer, 'services', [found.service_id]);
    await this.#deps.side.lockCustomer(writer, customerId);
    await lock(engine, writer, 'connections', [id]);
    return engine === 'sqlite' ? found : this.#require(writer, customerId, id);
  }

  /** A connection as its customer sees it. @throws {PlatformError} connections.not_found */
  async view(reader: Reader, customerId: string, id: string): Promise<Connection> {
    const connection = await this.#deps.side.view(reader, customerId, id);
    if (connection === undefined) throw new PlatformError('connections.not_found');
    return connection;
  }

  async #require(reader: Reader, customerId: string, id: string): Promise<ConnectionRow> {
    const row = await ownConnection(reader, customerId, id);
    if (row === undefined) throw new PlatformError('connections.not_found');
    return row;
  }
}

/**
 * Finds a service by what a customer typed: codes are generated in upper case, and are found in any case.
 * @throws {PlatformError} profile.company_code_requires_service, profile.not_found
 */
export async function serviceByCodes(
  reader: Reader,
  companyCode: string,
  serviceCode: string | null | undefined,
): Promise<ListedService> {
  const code = normalize(serviceCode ?? '');
  if (code === '') throw new PlatformError('profile.company_code_requires_service');
  const service = await findService(reader, normalize(companyCode), code);
  if (service === undefined) throw new PlatformError('profile.not_found');
  return service;
}

const normalize = (code: string) => code.trim().toUpperCase();
