import type { EventName } from '@symbolon/protocol';
import { flag } from '../../../server/src/db/tables.ts';
import type { PersonRow } from '../../../server/src/domains/identity/people/tables.ts';
import type { ConnectionRow } from '../../../server/src/domains/sharing/index.ts';
import type { RaisedEvent } from '../../../server/src/events/outbox.ts';
import type { TestService } from '../actors/actors.ts';
import { forges } from '../evidence/evidence.ts';
import type { TestPlatform } from './platform.ts';

/*
 * Rows for tests that need many of them, or in states that take long to reach: written past the API, as it would have.
 */

/** Inserts people; their keys are no keys. */
export async function insertPeople(platform: TestPlatform, count: number): Promise<PersonRow[]> {
  const { ids, database } = platform.context;
  const people = Array.from({ length: count }, (_, index): PersonRow => {
    const id = ids.uuid();
    return {
      id,
      email: `${id}@example.com`,
      display_name: `Person ${index}`,
      share_code: ids.code(10),
      public_key: `key of ${id}`,
      public_key_sha256: 'a'.repeat(64),
      login_version: 1,
      login_salt: '',
      login_hash: '',
      encrypted_private_key: '{}',
      recovery_hash: '',
      recovery_private_key: '{}',
      totp_secret: null,
      totp_enabled_at: null,
      totp_begun_at: null,
      totp_last_step: 0,
      epoch: 1,
      created_at: platform.clock.now(),
      region: null,
      deleted_at: null,
    };
  });
  await database.write(async (writer) => {
    for (const group of groups(people)) {
      await writer.insertInto('persons').values(group).execute();
      await writer
        .insertInto('share_codes')
        .values(group.map((row) => ({ code: row.share_code, kind: 'person', subject_id: row.id }) as const))
        .execute();
    }
  });
  return people;
}

/** Connects people to a service without an answer; gives the connection ids in the order of the people. */
export async function insertConnections(
  platform: TestPlatform,
  service: TestService,
  people: readonly PersonRow[],
): Promise<string[]> {
  const customers = people.map(({ id }) => ({
    customer_id: id,
    customer_type: 'person' as const,
    group_id: null,
  }));
  return (await connect(platform, service, customers)).map((row) => row.id);
}

/** Connects companies that nobody registered. */
export async function insertCompanyCustomers(
  platform: TestPlatform,
  service: TestService,
  count: number,
): Promise<ConnectionRow[]> {
  const { ids } = platform.context;
  const customers = Array.from({ length: count }, () => ({
    customer_id: ids.uuid(),
    customer_type: 'company' as const,
    group_id: ids.uuid(),
  }));
  return connect(platform, service, customers);
}

async function connect(
  platform: TestPlatform,
  service: TestService,
  customers: readonly Pick<ConnectionRow, 'customer_id' | 'customer_type' | 'group_id'>[],
): Promise<ConnectionRow[]> {
  const { database, ids } = platform.context;
  const { request_version } = await database.reader
    .selectFrom('services')
    .select('request_version')
    .where('id', '=', service.id)
    .executeTakeFirstOrThrow();
  const rows = customers.map((customer) => ({
    company_id: service.company.id,
    service_id: service.id,
    id: ids.uuid(),
    ...customer,
    connected_at: platform.clock.now(),
    request_version,
  }));
  await database.write(async (writer) => {
    for (const group of groups(rows)) await writer.insertInto('connections').values(group).execute();
    await writer
      .updateTable('services')
      .set((eb) => ({ connection_count: eb('connection_count', '+', rows.length) }))
      .where('id', '=', service.id)
      .execute();
  });
  return rows;
}

/** Connects one new person. */
export async function insertCustomer(
  platform: TestPlatform,
  service: TestService,
): Promise<{ connectionId: string; person: PersonRow }> {
  const [person] = await insertPeople(platform, 1);
  if (person === undefined) throw new Error('No person was inserted.');
  const [connectionId] = await insertConnections(platform, service, [person]);
  return { connectionId: connectionId ?? '', person };
}

/** Writes the answer of a connection to a row, over the one that stands. */
export async function putAnswer(
  platform: TestPlatform,
  service: TestService,
  slot: { connectionId: string; slug: string },
  answer: { value: string | null; live?: boolean; private?: boolean; verification?: object },
): Promise<void> {
  const key = {
    company_id: service.company.id,
    connection_id: slot.connectionId,
    request_field_id: rowOf(service, slot.slug),
  };
  await platform.context.database.write(async (writer) => {
    await writer
      .deleteFrom('slot_values')
      .where('connection_id', '=', key.connection_id)
      .where('request_field_id', '=', key.request_field_id)
      .execute();
    await writer
      .insertInto('slot_values')
      .values({
        ...key,
        field_id: null,
        live: flag(answer.live ?? true),
        value: answer.value,
        private: flag(answer.private ?? false),
        verification: answer.verification === undefined ? null : JSON.stringify(answer.verification),
        updated_at: platform.clock.now(),
        field_version: null,
        registration: null,
      })
      .execute();
  });
}

export async function dropAnswer(
  platform: TestPlatform,
  service: TestService,
  slot: { connectionId: string; slug: string },
): Promise<void> {
  await platform.context.database.write((writer) =>
    writer
      .deleteFrom('slot_values')
      .where('connection_id', '=', slot.connectionId)
      .where('request_field_id', '=', rowOf(service, slot.slug))
      .execute(),
  );
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

function rowOf(service: TestService, slug: string): string {
  const row = service.rows[slug];
  if (row === undefined) throw new Error(`The service has no row ${slug}.`);
  return row;
}

function groups<T>(rows: readonly T[], size = 500): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}
