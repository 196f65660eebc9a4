import { limits, type RecentEvents as RecentEventsAnswer } from '@symbolon/protocol';
import { sql } from 'kysely';
import { isoTime } from '../../../core/clock.ts';
import { putBy, rowBy } from '../../../db/by-key.ts';
import type { NewestPaging } from '../../../db/page.ts';
import type { Core } from '../../domain.ts';
import type { Services } from '../../services/index.ts';

const WATCHED_MS = limits.recentEventsWatchMinutes * 60_000;
/** A watch that lasts at least so long is left as it is: a page that looks every few seconds writes rarely. */
const LASTING_MS = WATCHED_MS / 2;

interface Deps extends Pick<Core, 'database' | 'clock'> {
  readonly services: Pick<Services, 'require'>;
}

/**
 * What was raised about a service, for people who look: each look has events noted for some minutes more. While nobody looks an
 * event costs nothing here.
 */
export class RecentEvents {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The latest first, of those that were raised while somebody watched.
   * @throws {PlatformError} services.not_found
   */
  async page(
    service: { companyId: string; serviceId: string },
    { limit, before }: Pick<NewestPaging, 'limit' | 'before'>,
  ): Promise<RecentEventsAnswer> {
    const { database, services } = this.#deps;
    await services.require(database.reader, service);
    const until = await this.#watch(service);
    const kept = database.reader
      .selectFrom('recent_events')
      .where('company_id', '=', service.companyId)
      .where('service_id', '=', service.serviceId);
    const { total } = await kept
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await kept
      .selectAll()
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(sql<number>`${limit} + 0`)
      .execute();
    return {
      total,
      watched_until: isoTime(until),
      items: rows.map(({ id, event, at, customer_id, customer_type, share_code, connection_id, slug }) => ({
        ...{ id, event, at: isoTime(at), person_user_id: customer_id, customer_type },
        ...{ share_code, connection_id, slug },
      })),
    };
  }

  /** Gives until when it is watched. */
  async #watch({ companyId, serviceId }: { companyId: string; serviceId: string }): Promise<number> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    const watch = await rowBy(database.reader, 'event_watches', { service_id: serviceId }, ['expires_at']);
    if (watch !== undefined && watch.expires_at - now >= LASTING_MS) return watch.expires_at;
    const row = { company_id: companyId, service_id: serviceId, expires_at: now + WATCHED_MS };
    await database.write((writer) => putBy(writer, 'event_watches', ['service_id'], row));
    return row.expires_at;
  }
}
