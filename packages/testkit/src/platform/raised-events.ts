import { sawEvents } from '../evidence/evidence.ts';
import type { TestPlatform } from './platform.ts';

export interface RaisedRow {
  readonly event: string;
  readonly slug: string | null;
  readonly customer: string;
}

/** What a service is to hear that it has not drained yet, oldest first. */
export async function raisedEvents(platform: TestPlatform, serviceId: string): Promise<RaisedRow[]> {
  const rows = await platform.context.database.reader
    .selectFrom('changes')
    .select(['event', 'slug', 'customer_id'])
    .where('feed', '=', serviceId)
    .orderBy('seq')
    .execute();
  sawEvents(rows.map(({ event }) => event));
  return rows.map(({ event, slug, customer_id }) => ({ event, slug, customer: customer_id }));
}

/** The same as `event` or `event slug`, in short. */
export async function eventNames(platform: TestPlatform, serviceId: string): Promise<string[]> {
  return (await raisedEvents(platform, serviceId)).map(({ event, slug }) =>
    slug === null ? event : `${event} ${slug}`,
  );
}

/** Forgets what was raised so far, as a drain would. */
export async function forgetEvents(platform: TestPlatform): Promise<void> {
  await platform.context.database.write((writer) => writer.deleteFrom('changes').execute());
}
