import type { Writer } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { Job, JobKind, Jobs, Step } from '../../operations/index.ts';
import { listedService } from '../../services/index.ts';
import {
  companiesBetween,
  countCompanies,
  forgetPassedOver,
  lastCompany,
  passedOver,
} from './notification-store.ts';
import { type Notification, notificationFor, TELL_COMPANIES } from './pending-notifications.ts';
import { shareCodesOf } from './store.ts';

/** More customers are not counted while the service is locked. */
const COUNTED_MOST = 10_000;

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly jobs: Jobs;
  readonly outbox: Outbox;
}

/** Tells the companies that are customers of a service about an act, however many they are. */
export class CompanyNotifications implements JobKind<Notification> {
  readonly name = TELL_COMPANIES;
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.jobs.register(this);
  }

  /** Has all companies notified that are customers now. The caller holds the service's lock. */
  async add(
    writer: Writer,
    ref: { readonly companyId: string; readonly serviceId: string },
    told: Pick<Notification, 'event' | 'more'>,
  ): Promise<void> {
    const through = await lastCompany(writer, ref.serviceId);
    const service = through === undefined ? undefined : await listedService(writer, ref.serviceId);
    if (through === undefined || service === undefined) return;
    const { id, share_code, company_code } = service;
    const notification: Notification = {
      ...told,
      at: this.#deps.clock.now(),
      service: { id, share_code, company_code },
      after: '',
      through,
    };
    const total = (await countCompanies(writer, ref.serviceId, COUNTED_MOST)) ?? null;
    await this.#deps.jobs.add(writer, { kind: TELL_COMPANIES, ...ref, state: notification, total });
  }

  async step(
    writer: Writer,
    { id, companyId, serviceId, state }: Job<Notification>,
    most: number,
  ): Promise<Step<Notification>> {
    const { engine } = this.#deps.database;
    const connections = await companiesBetween(writer, serviceId, state, most);
    const last = connections.at(-1);
    if (last === undefined) return { state, done: 0, finished: true };
    const key = { company_id: companyId, job_id: id };
    const ids = connections.map((connection) => connection.id);
    const passed = await passedOver(engine, writer, key, ids);
    const codes = await shareCodesOf(writer, connections);
    await this.#deps.outbox.tell(
      writer,
      connections
        .filter((connection) => !passed.has(connection.id))
        .map((connection) => notificationFor(state, connection, codes.get(connection.customer_id) ?? '')),
    );
    if (passed.size > 0) await forgetPassedOver(engine, writer, key, ids);
    return {
      state: { ...state, after: last.id },
      done: connections.length,
      finished: connections.length < most || last.id === state.through,
    };
  }
}
