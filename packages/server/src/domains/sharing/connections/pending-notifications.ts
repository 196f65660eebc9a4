import { AccountEvent, type AccountEventName } from '@symbolon/protocol';
import type { Writer } from '../../../db/database.ts';
import type { PendingEvents, AccountEvent as RaisedOnAccount } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { Job, Jobs } from '../../operations/index.ts';
import { accountEvent, type CodedService } from './account-events.ts';
import { forgetPassedOver, passedOver, passOver } from './notification-store.ts';
import type { ConnectionRow } from './tables.ts';

export const TELL_COMPANIES = 'tell_companies';

/** Notifications about an act to the companies that were customers of the service at that time. */
export interface Notification {
  readonly event: AccountEventName;
  /** Further members of the event's body. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** When the act was. */
  readonly at: number;
  /** The codes that customers knew the service by. */
  readonly service: CodedService;
  /** The connections that are left: ids after this one, up to the last one that there was. */
  readonly after: string;
  readonly through: string;
}

/** The event of a notification for one customer. */
export function notificationFor(
  notification: Notification,
  connection: Pick<ConnectionRow, 'id' | 'group_id' | 'customer_id'>,
  customerCode: string,
): RaisedOnAccount {
  const { event, service, more, at } = notification;
  return { ...accountEvent(event, service, connection, customerCode, more), at };
}

type Deps = Pick<Core, 'database'> & { readonly jobs: Jobs };

/**
 * Keeps the order that a customer sees. A job notifies companies of an act of a service. Before another event about the
 * service goes to one of them, it gets what the job still owes it, and the job skips it.
 */
export class PendingNotifications implements PendingEvents {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async pendingBefore(writer: Writer, events: readonly RaisedOnAccount[]): Promise<RaisedOnAccount[][]> {
    const owed: RaisedOnAccount[][] = [];
    for (const [serviceId, ofService] of Map.groupBy(events, (raised) => raised.serviceId)) {
      for (const job of await this.#deps.jobs.hold<Notification>(writer, TELL_COMPANIES, serviceId)) {
        const told = await this.#before(writer, job, ofService);
        if (told.length > 0) owed.push(told);
      }
    }
    return owed;
  }

  async #before(
    writer: Writer,
    job: Job<Notification>,
    events: readonly RaisedOnAccount[],
  ): Promise<RaisedOnAccount[]> {
    const { engine } = this.#deps.database;
    const { after, through } = job.state;
    const left = events.filter(({ connectionId: id }) => id > after && id <= through);
    if (left.length === 0) return [];
    const key = { company_id: job.companyId, job_id: job.id };
    const ids = left.map((raised) => raised.connectionId);
    const passed = await passedOver(engine, writer, key, ids);
    const fresh = new Map(
      left
        .filter((raised) => !passed.has(raised.connectionId))
        .map((raised) => [raised.connectionId, raised] as const),
    );
    const gone = left
      .filter(({ event }) => event === AccountEvent.connectionDeleted)
      .map(({ connectionId }) => connectionId);
    const staying = [...fresh.keys()].filter((id) => !gone.includes(id));
    await passOver(
      writer,
      staying.map((id) => ({ ...key, connection_id: id })),
    );
    // The job does not meet them again.
    if (gone.length > 0 && passed.size > 0) await forgetPassedOver(engine, writer, key, gone);
    // Customers that connect after the act get no notification of it.
    return [...fresh.values()]
      .filter(({ event }) => event !== AccountEvent.connectionCreated)
      .map((raised) => notificationFor(job.state, connectionOf(raised), raised.company.shareCode));
  }
}

function connectionOf(raised: RaisedOnAccount) {
  return {
    id: raised.connectionId,
    group_id: raised.payload.connection_id as string,
    customer_id: raised.company.id,
  };
}
