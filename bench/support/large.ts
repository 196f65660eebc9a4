import { randomBytes } from 'node:crypto';
import { credentials, personAccount, portalAccount } from '@symbolon/testkit/actors/accounts';
import { type BenchService, createService } from './actors.ts';
import { sealed } from './people.ts';
import type { Platform } from './platform.ts';
import { copyRows, type Sql } from './sql.ts';
import type { Stack } from './stack.ts';

/** Fields of a person that is seeded with fields. */
const FIELDS = 20;
const OTHER_COMPANIES = 50;
const SERVICES_EACH = 10;

/** Which kind of row an id belongs to, see `Sql.id`. */
const Kind = {
  person: 1,
  company: 2,
  otherCompany: 3,
  otherService: 4,
  connection: 5,
  group: 6,
  change: 7,
  queued: 8,
  log: 9,
  otherRow: 0x100,
  field: 0x200,
} as const;

/** A platform with one large service, as one may become, and others beside it. */
export interface LargeWorld {
  readonly size: number;
  readonly service: BenchService;
  /** Portal session of the large service's company. */
  readonly portal: string;
  /** The service's webhook, whose queue is parked. */
  readonly webhookId: string;
  /** Services of other companies: company code and share code. */
  readonly others: readonly { companyCode: string; code: string; rowId: string }[];
  readonly seededMs: number;
}

/**
 * Of a size N: N connections of one service with five live answers each; of the customers a tenth are companies, and a tenth
 * are people with twenty fields; N undrained changes, N parked events of a webhook, N / 10 rows of the audit log and of the
 * service's log. Beside it 50 companies with ten services each. Everything is made once through the API and then copied by
 * SQL, so that a row has all that the platform gives it. The platform is stopped meanwhile, and stays stopped.
 */
export async function seedLarge(stack: Stack, size: number, source?: string): Promise<LargeWorld> {
  await stack.start(source);
  const { platform } = stack;
  const service = await createService(platform);
  const portal = service.portal;
  await platform.call('PUT', `/api/services/${service.id}/audience`, {
    token: portal,
    json: { audience: 'both' },
  });
  const webhook = await platform.call<{ id: string }>('POST', `/api/services/${service.id}/webhooks`, {
    token: portal,
    json: { url: 'http://127.0.0.1:9/hook', auth_type: 'none' },
  });
  const person = await firstPerson(platform, service);
  const company = await firstCompany(platform, service);
  const other = await createService(platform);
  await stack.stopPlatform();

  const from = performance.now();
  await using sql = await stack.sql();
  await sql.run('begin');
  await customers(sql, size, person, company);
  await connections(sql, size, service, person, company);
  await queues(sql, size, service, webhook.id);
  const others = await otherCompanies(sql, other);
  await sql.run('commit');
  if (sql.engine === 'postgres') await sql.run('vacuum analyze');
  return {
    size,
    service,
    portal,
    webhookId: webhook.id,
    others,
    seededMs: performance.now() - from,
  };
}

interface FirstPerson {
  readonly id: string;
  readonly connectionId: string;
  /** Ids of its fields, those that answer the rows first. */
  readonly fieldIds: readonly string[];
}

/** Twenty fields, of which five answer the rows of the service; one edit makes the rows of the queues. */
async function firstPerson(platform: Platform, service: BenchService): Promise<FirstPerson> {
  const value = sealed(service, 'lovelace@example.com');
  const { access_token: token, person } = await platform.call<{
    access_token: string;
    person: { person_user_id: string };
  }>('POST', '/api/person/register', {
    json: {
      email: `first-${crypto.randomUUID()}@example.com`,
      account: personAccount(service.keys.publicKey),
    },
  });
  const fieldIds: string[] = [];
  for (let index = 0; index < FIELDS; index++) {
    const row = service.rows[index];
    const slug = row?.slug ?? `field_${index}`;
    const { id } = await platform.call<{ id: string }>('POST', '/api/person/fields', {
      token,
      json: { type: row?.slug === 'email' ? 'email' : 'text', slug, label: slug, value },
    });
    fieldIds.push(id);
  }
  const { connection_id: connectionId } = await platform.call<{ connection_id: string }>(
    'POST',
    '/api/person/connections',
    {
      token,
      json: {
        company_code: service.companyCode,
        service_code: service.code,
        decisions: service.rows.map((row, index) => ({
          request_field_id: row.id,
          kind: 'live',
          field_id: fieldIds[index],
          value,
        })),
      },
    },
  );
  const [row] = service.rows;
  await platform.call('PUT', `/api/person/fields/${fieldIds[0]}`, {
    token,
    json: { value, copies: [{ connection_id: connectionId, request_field_id: row?.id, value }] },
  });
  return { id: person.person_user_id, connectionId, fieldIds };
}

/** A company that is a customer of the service. */
async function firstCompany(platform: Platform, service: BenchService): Promise<{ id: string }> {
  const { token, company } = await platform.call<{ token: string; company: { company_user_id: string } }>(
    'POST',
    '/api/portal/register',
    {
      json: {
        email: `customer-${crypto.randomUUID()}@example.com`,
        account: portalAccount(service.keys.publicKey, 'Customer'),
      },
    },
  );
  const value = sealed(service, 'lovelace@example.com');
  await platform.call('POST', '/api/company-connections', {
    token,
    json: {
      company_code: service.companyCode,
      service_code: service.code,
      decisions: service.rows.map((row) => ({ request_field_id: row.id, kind: 'typed', value })),
    },
  });
  return { id: company.company_user_id };
}

const companiesOf = (size: number) => Math.round(size / 10);
const peopleOf = (size: number) => size - companiesOf(size);
/** A code that no other row has. */
const code = (sql: Sql, letter: string, number: string) =>
  sql.engine === 'sqlite'
    ? `'${letter}' || printf('%015X', ${number})`
    : `'${letter}' || lpad(upper(to_hex(${number})), 15, '0')`;

async function customers(
  sql: Sql,
  size: number,
  person: FirstPerson,
  company: { id: string },
): Promise<void> {
  const withFields = Math.round(size / 10);
  const shortKey = JSON.stringify(credentials().salt);
  await copyRows(sql, 'persons', {
    where: `t.id = '${person.id}'`,
    count: peopleOf(size),
    set: {
      id: sql.id(Kind.person, 'i.n'),
      email: `'person-' || i.n || '@seeded.example.com'`,
      share_code: code(sql, 'A', 'i.n'),
      // Keys are the largest part of a person. Only those that have fields have them, to keep the database in bounds.
      encrypted_private_key: `case when i.n <= ${withFields} then t.encrypted_private_key else '${shortKey}' end`,
      recovery_private_key: `case when i.n <= ${withFields} then t.recovery_private_key else '${shortKey}' end`,
    },
  });
  await copyRows(sql, 'share_codes', {
    where: `t.subject_id = '${person.id}'`,
    count: peopleOf(size),
    set: { code: code(sql, 'A', 'i.n'), subject_id: sql.id(Kind.person, 'i.n') },
  });
  for (const [index, fieldId] of person.fieldIds.entries()) {
    await copyRows(sql, 'person_fields', {
      where: `t.person_id = '${person.id}' and t.id = '${fieldId}'`,
      count: withFields,
      set: { person_id: sql.id(Kind.person, 'i.n'), id: sql.id(Kind.field + index, 'i.n') },
    });
  }
  await copyRows(sql, 'companies', {
    where: `t.id = '${company.id}'`,
    count: companiesOf(size),
    set: {
      id: sql.id(Kind.company, 'i.n'),
      email: `'company-' || i.n || '@seeded.example.com'`,
      code: code(sql, 'C', 'i.n'),
    },
  });
  await copyRows(sql, 'share_codes', {
    where: `t.subject_id = '${company.id}'`,
    count: companiesOf(size),
    set: { code: code(sql, 'C', 'i.n'), subject_id: sql.id(Kind.company, 'i.n') },
  });
}

/** Every tenth connection is a company's, so that both kinds are found all over the list. */
async function connections(
  sql: Sql,
  size: number,
  service: BenchService,
  person: FirstPerson,
  company: { id: string },
): Promise<void> {
  const kinds = [
    {
      customer: person.id,
      kind: Kind.person,
      count: peopleOf(size),
      place: '(i.n + (i.n - 1) / 9)',
      group: 'null',
    },
    {
      customer: company.id,
      kind: Kind.company,
      count: companiesOf(size),
      place: '(i.n * 10)',
      group: sql.id(Kind.group, 'i.n'),
    },
  ];
  for (const { customer, kind, count, place, group } of kinds) {
    const template = `select id from connections where service_id = '${service.id}' and customer_id = '${customer}'`;
    await copyRows(sql, 'connections', {
      where: `t.id = (${template})`,
      count,
      set: { id: sql.id(Kind.connection, place), customer_id: sql.id(kind, 'i.n'), group_id: group },
    });
    for (const [index, row] of service.rows.entries()) {
      await copyRows(sql, 'slot_values', {
        where: `t.company_id = '${service.companyId}' and t.connection_id = (${template}) and t.request_field_id = '${row.id}'`,
        count,
        set: {
          connection_id: sql.id(Kind.connection, place),
          ...(kind === Kind.person && { field_id: sql.id(Kind.field + index, 'i.n') }),
        },
      });
    }
  }
  await sql.run(
    `update services set connection_count = connection_count + ${size} where id = '${service.id}'`,
  );
}

async function queues(sql: Sql, size: number, service: BenchService, webhookId: string): Promise<void> {
  await copyRows(sql, 'changes', {
    where: `t.seq = (select max(seq) from changes where feed = '${service.id}')`,
    count: size,
    set: {
      id: sql.id(Kind.change, 'i.n'),
      connection_id: sql.id(Kind.connection, 'i.n'),
      collapse_key: `'field:' || ${sql.id(Kind.connection, 'i.n')} || ':${service.rows[0]?.id}'`,
    },
  });
  await copyRows(sql, 'webhook_events', {
    where: `t.seq = (select max(seq) from webhook_events where webhook_id = '${webhookId}')`,
    count: size,
    set: { id: sql.id(Kind.queued, 'i.n'), connection_id: sql.id(Kind.connection, 'i.n') },
  });
  await sql.run(
    `update webhooks set health = 'bad', probe_at = ${Date.now() + 7 * 86_400_000},
     parked_through = (select max(seq) from webhook_events) where id = '${webhookId}'`,
  );
  await copyRows(sql, 'audit_log', {
    where: `t.company_id = '${service.companyId}' and t.id = (select max(id) from audit_log where company_id = '${service.companyId}')`,
    count: Math.round(size / 10),
    set: { id: sql.id(Kind.log, 'i.n') },
  });
  await sql.run(
    `insert into service_logs (company_id, service_id, id, type, message, metadata, created_at)
     select '${service.companyId}', '${service.id}', ${sql.id(Kind.log, 'i.n')}, 'config', 'Seeded', '{}', ${Date.now()}
     from ${sql.series(Math.round(size / 10))} where true`,
  );
}

async function otherCompanies(sql: Sql, other: BenchService): Promise<LargeWorld['others']> {
  await copyRows(sql, 'companies', {
    where: `t.id = '${other.companyId}'`,
    count: OTHER_COMPANIES,
    set: {
      id: sql.id(Kind.otherCompany, 'i.n'),
      email: `'other-' || i.n || '@seeded.example.com'`,
      code: code(sql, 'D', 'i.n'),
    },
  });
  await copyRows(sql, 'share_codes', {
    where: `t.subject_id = '${other.companyId}'`,
    count: OTHER_COMPANIES,
    set: { code: code(sql, 'D', 'i.n'), subject_id: sql.id(Kind.otherCompany, 'i.n') },
  });
  const count = OTHER_COMPANIES * SERVICES_EACH;
  const companyOf = sql.id(Kind.otherCompany, `((i.n - 1) / ${SERVICES_EACH} + 1)`);
  await copyRows(sql, 'services', {
    where: `t.id = '${other.id}'`,
    count,
    set: {
      company_id: companyOf,
      id: sql.id(Kind.otherService, 'i.n'),
      share_code: `'S' || i.n`,
    },
  });
  for (const [index, row] of other.rows.entries()) {
    await copyRows(sql, 'request_fields', {
      where: `t.id = '${row.id}'`,
      count,
      set: {
        company_id: companyOf,
        service_id: sql.id(Kind.otherService, 'i.n'),
        id: sql.id(Kind.otherRow + index, 'i.n'),
      },
    });
  }
  return sql.all<{ companyCode: string; code: string; rowId: string }>(
    `select companies.code as "companyCode", services.share_code as code, request_fields.id as "rowId"
     from services join companies on companies.id = services.company_id
     join request_fields on request_fields.service_id = services.id and request_fields.slug = 'city'
     where companies.email like 'other-%@seeded.example.com' order by services.id`,
  );
}

/** A text that nobody else has. */
export const unique = () => randomBytes(6).toString('hex');
