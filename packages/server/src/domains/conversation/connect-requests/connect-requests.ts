import { type AskedConnectRequestList, Event, limits } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { clearsIn, PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import { inSteps } from '../../../db/expired-rows.ts';
import { newestPage } from '../../../db/page.ts';
import type { Outbox, RaisedEvent } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { listedService } from '../../services/index.ts';
import { checkService } from '../standing/service.ts';
import {
  askedBy,
  codesOf,
  expiredRequests,
  insertRequest,
  isBlocked,
  isConnected,
  openOf,
  openRequest,
  rejectOpen,
  soughtBy,
  timeOfCompanyRequest,
  timeOfRequest,
} from './store.ts';
import type { ConnectRequestRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'timers'> {
  readonly audit: Audit;
  readonly outbox: Outbox;
  readonly personSignals: PersonSignals;
}

/** Services ask people to connect (wire 12.3). */
export class ConnectRequests {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Asks a person. While that request is open, the same call gives it again. A blocked service learns nothing of that.
   * @param service with who asks, where the audit log is to name them
   * @throws {PlatformError} company_connections.not_found, company_connections.persons_only, company_connections.exists,
   *   company_connections.request_cap, services.audience_b2b_only
   */
  async send(
    service: { companyId: string; serviceId: string; actor?: Actor },
    shareCode: string,
  ): Promise<{ request_id: string }> {
    const { database, personSignals } = this.#deps;
    const { serviceId } = service;
    const code = shareCode.trim().toUpperCase();
    const [sought] = await soughtBy(database.reader, code);
    if (sought === undefined) throw new PlatformError('company_connections.not_found');
    if (sought.kind === 'company')
      throw new PlatformError('company_connections.persons_only', {
        status: 400,
        text: 'This is the code of a company. Only people are asked to connect.',
      });
    const asked = { serviceId, personId: sought.subject_id };
    const { id, isShown } = await database.write(async (writer) => {
      // The service stays until the request is stored. Connecting, and another request, hold the same locks.
      await lock(database.engine, writer, 'services', [serviceId]);
      await lock(database.engine, writer, 'persons', [asked.personId]);
      // The person may have deleted the account since.
      const [still] = await soughtBy(writer, code);
      if (still?.subject_id !== asked.personId) throw new PlatformError('company_connections.not_found');
      return this.#ask(writer, service, asked);
    });
    if (isShown)
      personSignals.tell(asked.personId, { kind: 'connect_request', id, push: true }, sought.region);
    return { request_id: id };
  }

  /**
   * What a service has asked, newest first. Requests are kept until their time is over.
   * @throws {PlatformError} services.not_found
   */
  async list(
    service: { companyId: string; serviceId: string },
    { before, limit }: { before: string | undefined; limit: number },
  ): Promise<AskedConnectRequestList> {
    const { clock, database } = this.#deps;
    await checkService(database.reader, service);
    const rows = await askedBy(database.reader, service, { before, most: limit + 1 });
    const { shown, next } = newestPage(rows, limit, (row) => row.id);
    return {
      connect_requests: shown.map((row) => ({
        ...{ request_id: row.id, share_code: row.share_code },
        // The sweep has not reached it yet.
        state: row.state === 'open' && row.expires_at <= clock.now() ? 'rejected' : row.state,
        ...{ created_at: isoTime(row.created_at), expires_at: isoTime(row.expires_at) },
      })),
      next,
    };
  }

  async #ask(
    writer: Writer,
    asking: { companyId: string; serviceId: string; actor?: Actor },
    asked: { serviceId: string; personId: string },
  ) {
    const now = this.#deps.clock.now();
    const { companyId, actor } = asking;
    const service = await ownService(writer, asking);
    if (service.audience === 'company') throw new PlatformError('services.audience_b2b_only');
    if (await isConnected(writer, asked)) throw new PlatformError('company_connections.exists');
    const open = await openRequest(writer, asked);
    if (open !== undefined) return { id: open.id, isShown: false };
    // A company has many services, and blocking one leaves the others.
    const company = { companyId, personId: asked.personId };
    const since = Math.max(
      await timeOfRequest(writer, asked, limits.connectRequestsMost),
      await timeOfCompanyRequest(writer, company, limits.connectRequestsOfCompanyMost),
    );
    const cappedMs = since + limits.connectRequestLifetimeMs - now;
    if (cappedMs > 0)
      throw new PlatformError('company_connections.request_cap', { details: clearsIn(cappedMs) });
    // When those of others end is not for this company to know.
    if ((await openOf(writer, asked.personId, now)) >= limits.openConnectRequestsMost)
      throw new PlatformError('company_connections.request_cap');
    const id = this.#deps.ids.uuid();
    await insertRequest(writer, {
      company_id: companyId,
      service_id: asked.serviceId,
      id,
      person_id: asked.personId,
      state: 'open',
      created_at: now,
      expires_at: now + limits.connectRequestLifetimeMs,
    });
    if (actor !== undefined)
      await this.#deps.audit.record(writer, {
        ...{ companyId, actor, action: 'service.connection_requested', target: asked.serviceId },
        details: { request_id: id },
      });
    return { id, isShown: !(await isBlocked(writer, asked)) };
  }

  /** Rejects requests that were not answered in time. @returns how many */
  expire(stopping: AbortSignal): Promise<number> {
    const { clock, database, outbox } = this.#deps;
    const { engine } = database;
    return inSteps(
      this.#deps,
      async (writer, most) => {
        const found = await expiredRequests(writer, clock.now(), most);
        if (found.length === 0) return 0;
        const people = found.map((row) => row.person_id);
        await lock(engine, writer, 'persons', people);
        // One may have been answered meanwhile.
        const ids = found.map(({ id }) => id);
        const rows = await rejectOpen(engine, writer, ids);
        const codes = await codesOf(engine, writer, people);
        await outbox.raise(
          writer,
          rows.map((row) => rejected(row, codes.get(row.person_id) ?? null)),
        );
        return found.length;
      },
      stopping,
    );
  }
}

/** @throws {PlatformError} services.not_found for the service of another company too */
async function ownService(
  reader: Reader,
  { companyId, serviceId }: { companyId: string; serviceId: string },
) {
  const service = await listedService(reader, serviceId);
  if (service?.company_id !== companyId) throw new PlatformError('services.not_found');
  return service;
}

export function rejected(row: ConnectRequestRow, shareCode: string | null): RaisedEvent {
  return {
    event: Event.connectionRequestRejected,
    companyId: row.company_id,
    serviceId: row.service_id,
    customer: { id: row.person_id, type: 'person', shareCode },
    connectionId: null,
    payload: { request_id: row.id },
  };
}
