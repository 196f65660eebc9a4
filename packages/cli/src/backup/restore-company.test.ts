import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  connect,
  createDataClient,
  createField,
  createService,
  createWebhook,
  registerCompany,
  registerPerson,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { symbolon } from '@symbolon/testkit/cli/command';
import { CALL_MOST_MS } from '@symbolon/testkit/limits';
import { PlatformAt } from '@symbolon/testkit/platform/calls';
import { engines } from '@symbolon/testkit/platform/engines';
import { insidesOf } from '@symbolon/testkit/platform/insides';
import { OPERATOR, openPlace, type Place } from '@symbolon/testkit/platform/places';
import { without } from '@symbolon/testkit/tools';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type Context, createContext } from '../../../server/src/context.ts';
import { systemClock } from '../../../server/src/core/clock.ts';
import { readConfig } from '../../../server/src/core/config.ts';
import { dependentsOf } from '../../../server/src/db/table-registry.ts';
import { imageOf } from '../../../server/src/domains/profile/photos/testing/images.ts';
import { createServer } from '../../../server/src/roles/server.ts';

type Inside = ReturnType<typeof insidesOf>;

/** Works on the database of a platform that does not run. */
async function inside<T>(place: Place, work: (context: Inside, serving: Context) => Promise<T>): Promise<T> {
  const deps = { clock: systemClock, log: pino({ level: 'silent' }) };
  const serving = await createContext(readConfig(place.environment), deps);
  const context = insidesOf(serving);
  try {
    return await work(context, serving);
  } finally {
    await context.stop();
  }
}

/** Serves for some work, without workers. */
function served<T>(place: Place, work: (platform: PlatformAt, context: Inside) => Promise<T>): Promise<T> {
  return inside(place, async (context, serving) => {
    const app = createServer(serving, { answersWithin: CALL_MOST_MS });
    try {
      const url = await app.listen({ host: '127.0.0.1', port: 0 });
      context.address.publicUrl ||= url;
      return await work(new PlatformAt(url), context);
    } finally {
      await app.close();
    }
  });
}

/** Deletes all rows of a company or a person, as when the deletion of the account has come to its end. */
async function forget(place: Place, kind: 'companies' | 'persons', id: string): Promise<void> {
  await inside(place, ({ database, tables }) =>
    database.write(async (writer) => {
      for (const { table, column } of dependentsOf(tables, kind)) {
        const { name, onlyOn = database.engine } = table;
        if (onlyOn !== database.engine || (kind === 'persons' && name === 'share_codes')) continue;
        await sql`delete from ${sql.table(name)} where ${sql.ref(column)} = ${id}`.execute(writer);
      }
      await sql`delete from ${sql.table(kind)} where id = ${id}`.execute(writer);
    }),
  );
}

/** Every row of the database that names none of these ids, but for counts and what processes write of themselves. */
function rowsWithout(place: Place, ids: readonly string[]): Promise<Record<string, string[]>> {
  const ofPlatform = /^(?:blob|doomed_blobs|row_count|operator_acts|processes|region_settings)/;
  return inside(place, async ({ database, tables }) => {
    const found: Record<string, string[]> = {};
    for (const { name, onlyOn = database.engine } of tables) {
      if (onlyOn !== database.engine || ofPlatform.test(name)) continue;
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(database.schema);
      found[name] = rows
        .map((row) => JSON.stringify(row))
        .filter((row) => !ids.some((id) => row.includes(id)));
      found[name].sort();
    }
    return found;
  });
}

async function backUp(platform: PlatformAt, file: string): Promise<void> {
  const headers = { authorization: `Bearer ${OPERATOR}` };
  const answer = await fetch(`${platform.url}/api/admin/backup`, { method: 'POST', headers });
  assert.equal(answer.status, 200);
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
}

/** A company with a service that two people and a company use, and others. */
async function openWorld(platform: PlatformAt) {
  const rows = [{ slug: 'nick', label: 'Nick', type: 'text' }] as const;
  const company = await registerCompany(platform, 'Acme');
  const service = await createService(platform, company, rows);
  const client = await createDataClient(platform, service);
  await createWebhook(platform, service, {
    url: 'https://hooks.example.com/in',
    events: ['connection_created'],
  });
  const other = await registerCompany(platform, 'Borealis');
  const otherService = await createService(platform, other, rows);
  const [ada, gone] = [await registerPerson(platform, 'Ada'), await registerPerson(platform, 'Grace')];
  const field = await createField(platform, ada, { type: 'text', slug: 'nick', value: 'Ada' });
  const connection = await connect(platform, ada, service, { nick: { field, value: 'Ada' } });
  await connect(platform, ada, otherService, { nick: { field, value: 'Ada' } });
  const left = await connect(platform, gone, service, { nick: { once: 'Grace' } });
  const customer = await createCustomer(platform);
  const linked = await connectCompany(platform, customer, service, { nick: { typed: 'Buyer' } });
  const file = (await imageOf('png', 60, 40, '#c06000')).toString('base64');
  const photo = await platform.must('POST', '/api/photos', { token: company.token, body: { file } });
  return {
    linked,
    photo,
    company,
    service,
    client,
    other,
    otherService,
    ada,
    gone,
    field,
    connection,
    left,
    customer,
  };
}

for (const engine of engines) {
  const skip = engine === 'postgres' && without('pg_dump', 'pg_restore');
  describe(`one company of a backup (${engine})`, { skip }, () => {
    test('comes back whole, who is gone since does not, and no row of others changes', async () => {
      await using place = await openPlace(engine);
      const file = join(place.dataDir, 'one.backup');
      const restore = async (...options: string[]) => {
        const args = ['admin', 'restore', file, '--json', ...options];
        const { code, stdout, stderr } = await symbolon(args, { env: place.environment });
        return { code, stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) };
      };
      const world = await served(place, async (platform) => {
        const made = await openWorld(platform);
        await backUp(platform, file);
        return made;
      });
      const { company, service, client, ada, gone, connection, left, customer, other, otherService } = world;
      // Since then others went on.
      await served(place, async (platform) => {
        const later = await registerPerson(platform, 'Later');
        await connect(platform, later, otherService, { nick: { once: 'Later' } });
        await platform.must('PUT', `/api/person/fields/${world.field}`, {
          token: ada.token,
          body: { private: true },
        });
      });
      for (const { id } of [company, customer.company]) await forget(place, 'companies', id);
      await forget(place, 'persons', gone.id);
      rmSync(join(place.dataDir, 'blobs'), { recursive: true });
      const own = [company.id, gone.id, customer.company.id];
      // Another company has its address for a while.
      const { id: another } = await served(place, (platform) =>
        registerCompany(platform, 'Acme', company.email),
      );
      const untouched = await rowsWithout(place, []);
      const taken = await restore('--company', company.code);
      assert.deepEqual(
        [taken.code, taken.stderr],
        [1, 'error: A code or an address of the company belongs to another one now.\n'],
      );
      assert.deepEqual(await rowsWithout(place, []), untouched);
      await forget(place, 'companies', another);
      const before = await rowsWithout(place, own);

      const brought = await restore('--company', company.code);
      assert.deepEqual([brought.code, brought.stderr], [0, '']);
      assert.deepEqual(
        [
          brought.company,
          brought.replaced,
          brought.people_gone,
          brought.companies_gone,
          brought.files_missing,
        ],
        [company.id, false, 1, 1, 0],
      );
      assert.ok(brought.rows > 10 && brought.others > 10);
      assert.deepEqual(await rowsWithout(place, own), before);
      const slots = await inside(place, ({ database }) =>
        database.reader
          .selectFrom('slot_values')
          .select(['connection_id', 'private'])
          .where('company_id', '=', company.id)
          .where('live', '=', 1)
          .execute(),
      );
      assert.deepEqual(slots, [{ connection_id: connection, private: 1 }], 'as the person has the field now');

      await served(place, async (platform, context) => {
        const token = await tokenFor(platform, client.clientId, client.clientSecret);
        const customers = async () =>
          JSON.stringify(await platform.must('GET', '/api/company-data/connections', { token }));
        await context.deletionWorker.run();
        assert.ok(!(await customers()).includes(left));
        assert.ok((await customers()).includes(connection));
        assert.ok(!(await customers()).includes(world.linked.id));
        const photo = await fetch(`${platform.url}/api/photos/${world.photo.id}`, {
          headers: { authorization: `Bearer ${company.token}` },
        });
        assert.equal(photo.status, 200);
        const webhooks = await platform.must('GET', `/api/services/${service.id}/webhooks`, {
          token: company.token,
        });
        assert.equal(JSON.stringify(webhooks).includes('https://hooks.example.com/in'), true);
        const { items } = await platform.must('GET', '/api/admin/acts', { token: OPERATOR });
        assert.equal(items[0].act, 'company.restored');
        await platform.must('GET', '/api/account', { token: other.token });
      });

      // It is there now: what it did since gives way only to its id.
      await served(place, async (platform) => {
        await platform.must('DELETE', `/api/services/${service.id}?confirm=true`, { token: company.token });
      });
      const there = await restore('--company', company.id);
      assert.deepEqual([there.code, there.stderr.includes(`--replace ${company.id}`)], [1, true]);
      assert.equal((await restore('--company', company.id, '--replace', other.id)).code, 1);
      assert.equal((await restore('--company', 'NOBODY99')).code, 1);
      assert.equal((await restore('--replace', company.id)).code, 2);
      const replaced = await restore('--company', company.id, '--replace', company.id);
      assert.deepEqual([replaced.code, replaced.stderr, replaced.replaced], [0, '', true]);
      await served(place, async (platform) => {
        const services = await platform.must('GET', '/api/services', { token: company.token });
        assert.ok(JSON.stringify(services).includes(service.id));
      });
    });
  });
}
