import type {
  BlockedService,
  Decision,
  PersonConnection,
  PersonConnectRequest,
  Presence,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { PersonDeletionHook } from '../../participation.ts';
import type { AskedConnections, PersonConnections } from '../../sharing/index.ts';
import { rejected } from './connect-requests.ts';
import {
  blocksOf,
  decideRequest,
  deleteBlock,
  insertBlock,
  type ListedBlock,
  type ListedRequest,
  openIds,
  openRequest,
  requestById,
  requestsOf,
} from './store.ts';

/** Requests become accepted with the connection that answers them, whichever way the person connected. */
export const askedConnections: AskedConnections = {
  async accept(writer, asked) {
    const open = await openRequest(writer, asked);
    if (open !== undefined) await decideRequest(writer, open, 'accepted');
    return open?.id;
  },
};

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly outbox: Outbox;
  readonly personConnections: PersonConnections;
}

/** People answer requests to connect, and block services that send them (wire 12.3). */
export class ConnectRequestAnswers implements PersonDeletionHook {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What waits for a person, oldest first. */
  async list(personId: string): Promise<{ connect_requests: PersonConnectRequest[] }> {
    const { clock, database } = this.#deps;
    const rows = await requestsOf(database.reader, personId, clock.now());
    return { connect_requests: rows.map(viewRequest) };
  }

  /** One that waits, also of a blocked service. @throws {PlatformError} connect_requests.not_found */
  async get(personId: string, id: string): Promise<PersonConnectRequest> {
    return viewRequest(await this.#open(this.#deps.database.reader, personId, id));
  }

  /**
   * Connects the person to the service that asked.
   * @throws {PlatformError} connect_requests.not_found, and what `PersonConnections.connect` throws
   */
  async accept(
    personId: string,
    id: string,
    answer: { decisions: readonly Decision[]; presence: Pick<Presence, 'twoFactor'> | undefined },
  ): Promise<PersonConnection> {
    const { company, service } = await this.get(personId, id);
    const codes = { company_code: company.company_code, service_code: service.share_code };
    const { presence } = answer;
    const decisions = [...answer.decisions];
    return this.#deps.personConnections.connect(personId, { ...codes, decisions }, { presence });
  }

  /** @throws {PlatformError} connect_requests.not_found */
  async reject(personId: string, id: string): Promise<void> {
    const { database, outbox } = this.#deps;
    await database.write(async (writer) => {
      await lock(database.engine, writer, 'persons', [personId]);
      const row = await requestById(writer, id);
      // One whose time is over is rejected as well.
      if (row?.person_id !== personId || row.state !== 'open')
        throw new PlatformError('connect_requests.not_found');
      await decideRequest(writer, row, 'rejected');
      await outbox.raise(writer, [rejected(row, row.share_code)]);
    });
  }

  /** Part of deleting an account: what waits is rejected, so that the services hear of it. */
  bonds(personId: string): Promise<readonly string[]> {
    return openIds(this.#deps.database.reader, personId);
  }

  end(personId: string, id: string): Promise<void> {
    return this.reject(personId, id);
  }

  /**
   * Hides the requests of a service, this one and all that come. They stay open until they expire, so that the service
   * does not learn of it.
   * @throws {PlatformError} connect_requests.not_found
   */
  async block(personId: string, id: string): Promise<void> {
    const { clock, database } = this.#deps;
    await database.write(async (writer) => {
      const { company_id, service_id } = await this.#open(writer, personId, id);
      await insertBlock(writer, { company_id, service_id, person_id: personId, created_at: clock.now() });
    });
  }

  async blocked(personId: string): Promise<{ blocked_services: BlockedService[] }> {
    const rows = await blocksOf(this.#deps.database.reader, personId);
    return { blocked_services: rows.map((row) => ({ ...cards(row), created_at: isoTime(row.created_at) })) };
  }

  /** @throws {PlatformError} connect_requests.not_blocked */
  async unblock(personId: string, serviceId: string): Promise<void> {
    const { database } = this.#deps;
    if (!(await database.write((writer) => deleteBlock(writer, { serviceId, personId }))))
      throw new PlatformError('connect_requests.not_blocked');
  }

  async #open(reader: Reader, personId: string, id: string) {
    const row = await requestById(reader, id);
    const isOpen = row?.state === 'open' && row.expires_at > this.#deps.clock.now();
    if (row?.person_id !== personId || !isOpen) throw new PlatformError('connect_requests.not_found');
    return row;
  }
}

const cards = (row: ListedBlock | ListedRequest) => ({
  service: { id: row.service_id, name: row.service_name, share_code: row.service_code },
  company: { user_id: row.company_id, display_name: row.company_name, company_code: row.company_code },
});

const viewRequest = (row: ListedRequest): PersonConnectRequest => ({
  request_id: row.id,
  service: cards(row).service,
  company: { ...cards(row).company, level: row.company_level, since: isoTime(row.company_since) },
  created_at: isoTime(row.created_at),
  expires_at: isoTime(row.expires_at),
});
