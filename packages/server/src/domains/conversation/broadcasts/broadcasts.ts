import { type Broadcast, type CompanyLevel, limits, type SentBroadcastList } from '@symbolon/protocol';
import { counted, type Limiter } from '../../../access/limit-store.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Writer } from '../../../db/database.ts';
import { newestPage } from '../../../db/page.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit, Job, JobKind, Jobs, Step } from '../../operations/index.ts';
import type { MessagingStanding } from '../standing/standing.ts';
import { connectionsBehind, countPeople, insertBroadcast, sentBroadcasts } from './store.ts';

/** How far a broadcast has been signalled to people's devices. */
interface Progress {
  /** When it was sent: who connected later does not have it. */
  readonly at: number;
  /** The last connection that is done. */
  readonly after: string;
}

/** Signals of one step: more at a time would be dropped. */
const SIGNALS_MOST = 500;
const HOUR_S = 60 * 60;

/** Of a broadcast by staff its writer stands in the audit log. */
interface Sender {
  readonly companyId: string;
  readonly serviceId: string;
  readonly actor?: Actor;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'limitStore'> {
  readonly standing: MessagingStanding;
  readonly jobs: Jobs;
  readonly audit: Audit;
  readonly personSignals: PersonSignals;
  /** To how many people a broadcast goes, by the level of its company; 0: to any number. */
  readonly broadcastPeople: Readonly<Record<CompanyLevel, number>>;
}

/**
 * Messages of a service to all its people (wire 12.2). One row is the message in every thread: it is sent to all at once
 * when that row is saved. Telling the devices takes longer, and is left to a worker.
 */
export class Broadcasts implements JobKind<Progress> {
  readonly name = 'broadcast';
  readonly #deps: Deps;
  readonly #rate: Limiter;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#rate = deps.limitStore.limiter({
      keyPrefix: 'broadcasts',
      points: limits.broadcastsPerHour,
      duration: HOUR_S,
    });
    deps.jobs.register(this);
  }

  /**
   * @throws {PlatformError} what `MessagingStanding.mayBroadcast` does, messages.rate_limited,
   *   messages.broadcast_audience_too_large
   */
  async send({ companyId, serviceId, actor }: Sender, body: string): Promise<Broadcast> {
    const { audit, broadcastPeople, clock, database, ids, jobs, standing } = this.#deps;
    await standing.mayBroadcast(database.reader, companyId);
    await counted(this.#rate.consume(serviceId), 'messages.rate_limited');
    return database.write(async (writer) => {
      // Who connects does so before it or after it.
      await lock(database.engine, writer, 'services', [serviceId]);
      const level = await standing.mayBroadcast(writer, companyId);
      const recipients = await countPeople(database.engine, writer, { companyId, serviceId });
      if (recipients === undefined) throw new PlatformError('services.not_found');
      const most = broadcastPeople[level];
      if (most > 0 && recipients > most)
        throw new PlatformError('messages.broadcast_audience_too_large', { details: { most } });
      const id = ids.uuid();
      const at = clock.now();
      await insertBroadcast(writer, {
        company_id: companyId,
        service_id: serviceId,
        id,
        body,
        created_at: at,
        expires_at: at + limits.broadcastRetentionMs,
      });
      const state: Progress = { at, after: '' };
      if (recipients > 0)
        await jobs.add(writer, { kind: this.name, companyId, serviceId, state, total: recipients });
      if (actor !== undefined)
        await audit.record(writer, {
          ...{ companyId, actor, action: 'service.broadcast_sent', target: serviceId },
          details: { broadcast_id: id, recipients },
        });
      return { broadcast_id: id, recipients };
    });
  }

  /**
   * What the service sent to all, newest first, and to how many the next one goes.
   * @throws {PlatformError} services.not_found; what `MessagingStanding.mayMessage` does
   */
  async list(
    service: { companyId: string; serviceId: string },
    { before, limit }: { before: string | undefined; limit: number },
  ): Promise<SentBroadcastList> {
    const { broadcastPeople, clock, database, standing } = this.#deps;
    const recipients = await countPeople(database.engine, database.reader, service);
    if (recipients === undefined) throw new PlatformError('services.not_found');
    const level = await standing.mayMessage(database.reader, service.companyId);
    const rows = await sentBroadcasts(database.reader, service, {
      ...{ before, most: limit + 1, now: clock.now() },
    });
    const { shown, next } = newestPage(rows, limit, (row) => row.id);
    return {
      recipients,
      most: broadcastPeople[level] || null,
      broadcasts: shown.map(({ id, body, created_at }) => ({
        ...{ broadcast_id: id, body, created_at: isoTime(created_at) },
      })),
      next,
    };
  }

  async step(writer: Writer, job: Job<Progress>, most: number): Promise<Step<Progress>> {
    const { at, after } = job.state;
    const group = Math.min(most, SIGNALS_MOST);
    const connections = await connectionsBehind(writer, job, { after, most: group });
    const people = connections.filter((row) => row.customer_type === 'person' && row.connected_at <= at);
    return {
      state: { at, after: connections.at(-1)?.id ?? after },
      done: people.length,
      rows: connections.length,
      finished: connections.length < group,
      saved: () =>
        this.#deps.personSignals.tellAll(
          people.map(({ id, customer_id: personId, region: home }) => ({
            personId,
            signal: { kind: 'message', id, push: true },
            home,
          })),
        ),
    };
  }
}
