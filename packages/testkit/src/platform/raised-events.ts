import type { EventName } from '@symbolon/protocol';
import type { PersonRow } from '../../../server/src/domains/people/people/tables.ts';
import type { RaisedEvent } from '../../../server/src/events/outbox.ts';
import type { TestService } from '../actors/actors.ts';
import { forges, sawEvents } from '../evidence/evidence.ts';
import type { TestPlatform } from './platform.ts';
import { rowOf } from './rows.ts';

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

/** Raises an event about a person who is connected. */
export async function raise(
  platform: TestPlatform,
  service: TestService,
  customer: { connectionId: string; person: PersonRow },
  event: EventName,
  more: { slug?: string; documentId?: string; payload?: Record<string, unknown> } = {},
): Promise<void> {
  const raised: RaisedEvent = {
    event,
    companyId: service.company.id,
    serviceId: service.id,
    customer: { id: customer.person.id, type: 'person', shareCode: customer.person.share_code },
    connectionId: customer.connectionId,
    ...(more.slug === undefined
      ? {}
      : { slot: { requestFieldId: rowOf(service, more.slug), slug: more.slug } }),
    ...(more.documentId === undefined ? {} : { documentId: more.documentId }),
    payload: more.payload ?? {},
  };
  forges(event);
  await platform.context.database.write((writer) => platform.context.outbox.raise(writer, [raised]));
}
