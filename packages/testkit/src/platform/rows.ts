import type { Insertable, Kysely } from 'kysely';
import type { Clock } from '../../../server/src/core/clock.ts';
import type { Writer } from '../../../server/src/db/database.ts';
import { flag, type Tables } from '../../../server/src/db/tables.ts';
import type { PersonRow } from '../../../server/src/domains/people/people/tables.ts';
import type { ConnectionRow } from '../../../server/src/domains/sharing/index.ts';
import type { TestService } from '../actors/actors.ts';
import type { Insides } from './insides.ts';

/*
 * Rows for tests that need many of them, or in states that take long to reach: written past the API, as it would have.
 */

/** A platform of this process, or the database of another one. */
export interface RowPlace {
  readonly context: Pick<Insides, 'database' | 'ids'>;
  readonly clock: Clock;
}

/** Inserts people. @param key of all of them; without one their keys are no keys */
export async function insertPeople(
  platform: RowPlace,
  count: number,
  key?: { readonly publicKey: string; readonly sha256: string },
): Promise<PersonRow[]> {
  const { ids, database } = platform.context;
  const people = Array.from({ length: count }, (_, index): PersonRow => {
    const id = ids.uuid();
    return {
      id,
      email: `${id}@example.com`,
      display_name: `Person ${index}`,
      share_code: ids.code(10),
      public_key: key?.publicKey ?? `key of ${id}`,
      public_key_sha256: key?.sha256 ?? 'a'.repeat(64),
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
  const codes = people.map(({ id, share_code: code }) => ({ code, kind: 'person', subject_id: id }) as const);
  await database.write(async (writer) => {
    await insertAll(writer, 'persons', people);
    await insertAll(writer, 'share_codes', codes);
  });
  return people;
}

/** Inserts companies that nobody can sign in to. @param name what the names of all begin with */
export async function insertCompanies(
  { context: { ids, database }, clock }: RowPlace,
  count: number,
  name: string,
): Promise<void> {
  const companies = Array.from({ length: count }, (_, index) => {
    const id = ids.uuid();
    return {
      id,
      region: null,
      name: `${name} ${index}`,
      email: `${id}@example.com`,
      code: ids.code(6),
      level: 'free' as const,
      account_public_key: `key of ${id}`,
      account_public_key_sha256: 'a'.repeat(64),
      account_private_key: '',
      recovery_public_key: `recovery key of ${id}`,
      recovery_private_key: '{}',
      card_version: 1,
      second_factor_required: flag(false),
      created_at: clock.now(),
    };
  });
  const codes = companies.map(({ id, code }) => ({ code, kind: 'company', subject_id: id }) as const);
  await database.write(async (writer) => {
    await insertAll(writer, 'companies', companies);
    await insertAll(writer, 'share_codes', codes);
  });
}

/** Connects people to a service without an answer; gives the connection ids in the order of the people. */
export async function insertConnections(
  platform: RowPlace,
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

/** Connects companies without registrations. */
export async function insertCompanyCustomers(
  platform: RowPlace,
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
  platform: RowPlace,
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
    await insertAll(writer, 'connections', rows);
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
  platform: RowPlace,
  service: TestService,
): Promise<{ connectionId: string; person: PersonRow }> {
  const [person] = await insertPeople(platform, 1);
  if (person === undefined) throw new Error('No person was inserted.');
  const [connectionId] = await insertConnections(platform, service, [person]);
  return { connectionId: connectionId ?? '', person };
}

/** What stands where a row is answered. */
interface Answered {
  readonly value: string | null;
  readonly live?: boolean;
  readonly private?: boolean;
  readonly verification?: object;
}

/** The answer of a connection to a row, as it is stored. */
export const answerRow = (
  { clock }: RowPlace,
  { company }: TestService,
  slot: { readonly connectionId: string; readonly requestFieldId: string },
  answer: Answered,
) => ({
  company_id: company.id,
  connection_id: slot.connectionId,
  request_field_id: slot.requestFieldId,
  field_id: null,
  live: flag(answer.live ?? true),
  value: answer.value,
  private: flag(answer.private ?? false),
  verification: answer.verification === undefined ? null : JSON.stringify(answer.verification),
  updated_at: clock.now(),
  field_version: null,
  registration: null,
});

/** Writes the answer of a connection to a row, over the one that stands. */
export async function putAnswer(
  platform: RowPlace,
  service: TestService,
  slot: { connectionId: string; slug: string },
  answer: Answered,
): Promise<void> {
  await dropAnswer(platform, service, slot);
  const { connectionId } = slot;
  const row = answerRow(
    platform,
    service,
    { connectionId, requestFieldId: rowOf(service, slot.slug) },
    answer,
  );
  await platform.context.database.write((writer) => insertAll(writer, 'slot_values', [row]));
}

export async function dropAnswer(
  platform: RowPlace,
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

/** The id of a request row. */
export function rowOf(service: TestService, slug: string): string {
  const row = service.rows[slug];
  if (row === undefined) throw new Error(`The service has no row ${slug}.`);
  return row;
}

/** Inserts rows of a table, however many. */
export async function insertAll<Name extends keyof Tables>(
  writer: Writer,
  table: Name,
  rows: readonly Insertable<Tables[Name]>[],
): Promise<void> {
  const at = writer as Kysely<Record<string, object>>;
  for (let from = 0; from < rows.length; from += 500)
    await at
      .insertInto(table)
      .values(rows.slice(from, from + 500))
      .execute();
}
