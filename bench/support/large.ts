import { credentials } from '@symbolon/testkit/actors/accounts';
import {
  connect,
  createField,
  decisionsFor,
  registerCompany,
  registerPerson,
  sealed,
  type TestPlace,
} from '@symbolon/testkit/actors/actors';
import { type BenchService, createService, editOf } from './actors.ts';
import type { Platform } from './platform.ts';
import { sized } from './setting.ts';
import { copyRows, type Sql } from './sql.ts';
import type { Stack } from './stack.ts';

/** Fields of a person that is seeded with fields. */
const FIELDS = 20;
const OTHER_COMPANIES = sized(50, 2);
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
  /** The service's webhook, whose queue is parked. */
  readonly webhookId: string;
  /** Services of other companies. */
  readonly others: readonly TestPlace[];
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
  const { token } = service.company;
  await platform.must('PUT', `/api/services/${service.id}/audience`, { token, body: { audience: 'both' } });
  const webhook = await platform.must('POST', `/api/services/${service.id}/webhooks`, {
    token,
    body: { url: 'http://127.0.0.1:9/hook', auth_type: 'none' },
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
  return { size, service, webhookId: webhook.id, others, seededMs: performance.now() - from };
}

interface FirstPerson {
  readonly id: string;
  readonly connectionId: string;
  /** Ids of its fields, those that answer the rows first. */
  readonly fieldIds: readonly string[];
}

/** Twenty fields, of which five answer the rows of the service; one edit makes the rows of the queues. */
async function firstPerson(platform: Platform, service: BenchService): Promise<FirstPerson> {
  const value = 'lovelace@example.com';
  const { id, token } = await registerPerson(platform);
  const slugs = Object.keys(service.rows);
  const fieldIds: string[] = [];
  for (let index = 0; index < FIELDS; index++) {
    const slug = slugs[index] ?? `field_${index}`;
    const type = slug === 'email' ? 'email' : 'text';
    fieldIds.push(await createField(platform, { token }, { type, slug, value }));
  }
  const answers = slugs.map((slug, index) => [slug, { field: fieldIds[index] ?? '', value }]);
  const connectionId = await connect(platform, { token }, service, Object.fromEntries(answers));
  const [fieldId = ''] = fieldIds;
  const [requestFieldId = ''] = Object.values(service.rows);
  const edit = editOf({ token, fieldId }, await sealed(value), [{ connectionId, requestFieldId }]);
  await platform.must(edit.method, edit.path, edit);
  return { id, connectionId, fieldIds };
}

/** A company that is a customer of the service. */
async function firstCompany(platform: Platform, service: BenchService): Promise<{ id: string }> {
  const { id, token } = await registerCompany(platform, 'Customer');
  const typed = Object.keys(service.rows).map((slug) => [slug, { typed: 'lovelace@example.com' }]);
  await platform.must('POST', '/api/company-connections', {
    token,
    body: {
      company_code: service.company.code,
      service_code: service.code,
      decisions: await decisionsFor(service.rows, Object.fromEntries(typed)),
    },
  });
  return { id };
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
  await copyCompany(sql, company.id, {
    count: companiesOf(size),
    kind: Kind.company,
    name: 'company',
    letter: 'C',
  });
}

/** @param as what distinguishes the copies from others: their ids, addresses and codes */
async function copyCompany(
  sql: Sql,
  id: string,
  { count, kind, name, letter }: { count: number; kind: number; name: string; letter: string },
): Promise<void> {
  const own = { id: sql.id(kind, 'i.n'), code: code(sql, letter, 'i.n') };
  const email = `'${name}-' || i.n || '@seeded.example.com'`;
  await copyRows(sql, 'companies', { where: `t.id = '${id}'`, count, set: { ...own, email } });
  const set = { code: own.code, subject_id: own.id };
  await copyRows(sql, 'share_codes', { where: `t.subject_id = '${id}'`, count, set });
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
    for (const [index, rowId] of Object.values(service.rows).entries()) {
      await copyRows(sql, 'slot_values', {
        where: `t.company_id = '${service.company.id}' and t.connection_id = (${template}) and t.request_field_id = '${rowId}'`,
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
      collapse_key: `'field:' || ${sql.id(Kind.connection, 'i.n')} || ':${Object.values(service.rows)[0]}'`,
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
    where: `t.company_id = '${service.company.id}' and t.id = (select max(id) from audit_log where company_id = '${service.company.id}')`,
    count: Math.round(size / 10),
    set: { id: sql.id(Kind.log, 'i.n') },
  });
  await sql.run(
    `insert into service_logs (company_id, service_id, id, type, message, metadata, created_at)
     select '${service.company.id}', '${service.id}', ${sql.id(Kind.log, 'i.n')}, 'config', 'Seeded', '{}', ${Date.now()}
     from ${sql.series(Math.round(size / 10))} where true`,
  );
}

async function otherCompanies(sql: Sql, other: BenchService): Promise<LargeWorld['others']> {
  await copyCompany(sql, other.company.id, {
    count: OTHER_COMPANIES,
    kind: Kind.otherCompany,
    name: 'other',
    letter: 'D',
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
  for (const [index, rowId] of Object.values(other.rows).entries()) {
    await copyRows(sql, 'request_fields', {
      where: `t.id = '${rowId}'`,
      count,
      set: {
        company_id: companyOf,
        service_id: sql.id(Kind.otherService, 'i.n'),
        id: sql.id(Kind.otherRow + index, 'i.n'),
      },
    });
  }
  const others = await sql.all<{ company: string; code: string; city: string }>(
    `select companies.code as company, services.share_code as code, request_fields.id as city
     from services join companies on companies.id = services.company_id
     join request_fields on request_fields.service_id = services.id and request_fields.slug = 'city'
     where companies.email like 'other-%@seeded.example.com' order by services.id`,
  );
  return others.map(({ company, code, city }) => ({ company: { code: company }, code, rows: { city } }));
}
