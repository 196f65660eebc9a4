import { sql } from 'kysely';
import type { Reader, Writer } from '../../../db/database.ts';
import { deleteRemoteSlotsOfCompany } from '../people/store.ts';
import { movedRegistration } from './company-tables.ts';
import { yieldToEventLoop } from './table-store.ts';

/** Slots in one statement: on SQLite other requests wait meanwhile. */
const SLOTS_AT_ONCE = 3000;

/** The slots of some of a company's connections, by connection id. */
export interface SlotRange {
  readonly after: string;
  /** The last id; undefined: to the end. */
  readonly upto: string | undefined;
}

/** Divides a company's slots into ranges. */
export async function* slotRanges(reader: Reader, companyId: string): AsyncGenerator<SlotRange> {
  for (let after = ''; ; ) {
    const row = await reader
      .selectFrom('slot_values')
      .select('connection_id')
      .where('company_id', '=', companyId)
      .where('connection_id', '>', after)
      .orderBy('connection_id')
      .limit(1)
      .offset(SLOTS_AT_ONCE)
      .executeTakeFirst();
    yield { after, upto: row?.connection_id };
    if (row === undefined) return;
    after = row.connection_id;
  }
}

/** Whether a slot is in a range, as a condition on `slot_values`. */
const inRange = (companyId: string, { after, upto }: SlotRange) => sql`
  slot_values.company_id = ${companyId} and slot_values.connection_id > ${after}
  ${upto === undefined ? sql`` : sql`and slot_values.connection_id <= ${upto}`}
`;

/**
 * At the source: registers the live slots of people at home here, because the company will be in another region. The ids
 * follow from the slots, so the destination makes the same ones.
 */
export async function registerSlots(
  writer: Writer,
  companyId: string,
  range: SlotRange,
  now: number,
): Promise<void> {
  await sql`
    insert into remote_slots (person_id, field_id, registration, company_id, service_id, connection_id,
      request_field_id, slug, service_public_key, mandatory, registered_at, field_version)
    select connections.customer_id, slot_values.field_id,
      ${sql.raw(movedRegistration('slot_values.connection_id', 'slot_values.request_field_id'))},
      slot_values.company_id, connections.service_id, slot_values.connection_id, slot_values.request_field_id,
      request_fields.slug, services.public_key,
      case when request_fields.audience = 'company' then 0 else request_fields.mandatory_connected end, ${sql.lit(now)},
      slot_values.field_version
    from slot_values
    inner join connections on connections.id = slot_values.connection_id
    inner join persons on persons.id = connections.customer_id and persons.region is null
    inner join services on services.id = connections.service_id
    inner join request_fields on request_fields.company_id = slot_values.company_id
      and request_fields.service_id = connections.service_id and request_fields.id = slot_values.request_field_id
    where ${inRange(companyId, range)} and slot_values.live = 1 and slot_values.field_id is not null
      and request_fields.one_time = 0
  `.execute(writer);
}

/**
 * At the destination: slots of people at home here need no registration any more. Those of people at home at the source are
 * registered there, under the ids that `registerSlots` made.
 */
export async function settleRegistrations(
  writer: Writer,
  companyId: string,
  fromRegion: string,
): Promise<void> {
  await deleteRemoteSlotsOfCompany(writer, companyId);
  const homeIs = (region: string | null) => sql`
    exists (select 1 from connections
      inner join persons on persons.id = connections.customer_id
        and persons.region ${region === null ? sql`is null` : sql`= ${region}`}
      where connections.id = slot_values.connection_id)
  `;
  for await (const range of slotRanges(writer, companyId)) {
    await yieldToEventLoop();
    await sql`
      update slot_values set registration = null
      where ${inRange(companyId, range)} and registration is not null and ${homeIs(null)}
    `.execute(writer);
    await sql`
      update slot_values set registration = ${sql.raw(movedRegistration('connection_id', 'request_field_id'))}
      where ${inRange(companyId, range)} and live = 1 and field_id is not null and ${homeIs(fromRegion)}
    `.execute(writer);
  }
}
