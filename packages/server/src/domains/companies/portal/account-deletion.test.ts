import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createField,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { confirmDeletion, runDeletions } from '@symbolon/testkit/actors/company-deletion';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import {
  addDelegate,
  enrolSecondFactor,
  lastMail,
  WRONG_SECRET,
} from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';
import { sql } from 'kysely';
import sharp from 'sharp';
import { localNames } from '../../../access/unique-names.ts';
import { dependentsOf } from '../../../db/table-registry.ts';
import { deletedTables } from './deletion-store.ts';

const DAY = 24 * 60 * 60_000;
const REQUEST = '/api/account/delete-request';
const CONFIRM = '/api/account/confirm-delete';

const running = () => new AbortController().signal;

/** A signal that is aborted after so many looks at it. */
const stoppingAfter = (looks: number) => {
  let left = looks;
  return {
    get aborted() {
      return left-- <= 0;
    },
  } as AbortSignal;
};

const onePixel = async () => {
  const create = { width: 1, height: 1, channels: 3, background: 'red' } as const;
  return (await sharp({ create }).png().toBuffer()).toString('base64');
};

/** How many rows of a company are left, by table. */
async function rowsOf(platform: TestPlatform, companyId: string): Promise<Record<string, number>> {
  const { database, tables } = platform.context;
  const counts: Record<string, number> = {};
  for (const { table, column } of dependentsOf(tables, 'companies')) {
    const rows = await database.reader
      .selectFrom(table.name)
      .selectAll()
      .where(sql.ref(column), '=', companyId)
      .execute();
    if (rows.length > 0) counts[table.name] = rows.length;
  }
  return counts;
}

onEachEngine('deleting a company', (platform) => {
  test('goes on until the names of the company are free for others', async (t) => {
    const company = await registerCompany(platform());
    await confirmDeletion(platform(), company);
    platform().clock.advance(14 * DAY);
    const { reader } = platform().context.database;
    const left = async () => {
      const rows = reader.selectFrom('company_deletions').select('company_id');
      return (await rows.where('company_id', '=', company.id).execute()).length;
    };
    const release = t.mock.method(localNames, 'release', () => Promise.reject(new Error('Out of reach.')));
    await assert.rejects(runDeletions(platform()), /Out of reach/);
    assert.equal(await left(), 1);
    release.mock.restore();
    await runDeletions(platform());
    assert.equal(await left(), 0);
  });

  test('is asked with the login secret, confirmed by a mailed code, and done after two weeks', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company, [
      { slug: 'email', label: 'E-mail', type: 'email' },
    ]);
    const machine = await dataToken(platform(), service);
    const viewer = await addDelegate(platform(), company, 'viewer');
    const person = await registerPerson(platform());
    const field = await createField(platform(), person, {
      type: 'email',
      slug: 'mail',
      value: 'a@b.example',
    });
    await connect(platform(), person, service, { email: { field, value: 'a@b.example' } });
    const bystander = await registerCompany(platform());
    await connect(platform(), person, await createService(platform(), bystander));

    const { token, loginSecret: login_secret } = company;
    const wrong = await platform().call('POST', REQUEST, { token, body: { login_secret: WRONG_SECRET } });
    assert.equal(wrong.body.error_key, 'auth.credentials_invalid');
    const early = await platform().call('POST', CONFIRM, { token, body: { code: '123456' } });
    assert.equal(early.body.error_key, 'account.code_invalid');
    proves('route:POST /api/account/delete-request', 'route:POST /api/account/confirm-delete');
    const state = await confirmDeletion(platform(), company);
    assert.equal(Date.parse(state.deletes_at), platform().clock.now() + 14 * DAY);
    assert.match(await lastMail(platform(), company.email), /will be deleted/);
    const twice = await platform().call('POST', REQUEST, { token, body: { login_secret } });
    proves(
      'error:account.deletion_pending',
      'state:deletion.confirmed-deleted',
      'state:deletion.requested-confirmed',
    );
    assert.deepEqual([twice.status, twice.body.error_key], [409, 'account.deletion_pending']);

    platform().clock.advance(14 * DAY - 1);
    await runDeletions(platform());
    const signIn = () =>
      platform().call('POST', '/api/portal/sign-in', { body: { email: company.email, login_secret } });
    assert.equal((await signIn()).status, 200);
    const { client_id, client_secret } = await platform().must(
      'POST',
      `/api/services/${service.id}/client/regenerate-secret`,
      { token: (await signIn()).body.token },
    );
    platform().clock.advance(1);
    await runDeletions(platform());

    assert.deepEqual(await rowsOf(platform(), company.id), {});
    assert.equal((await signIn()).status, 401);
    assert.equal((await platform().call('GET', '/api/account', { token: viewer.token })).status, 401);
    const grant = await platform().call('POST', '/oauth2/token', {
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
    });
    assert.equal(grant.body.error_key, 'invalid_client');
    assert.equal((await platform().call('GET', '/api/company-data/changes', { token: machine })).status, 401);
    const relogin = await platform().must('POST', '/api/person/login', {
      body: { email: person.email, login_secret: person.loginSecret },
    });
    const connections = await platform().must('GET', '/api/person/connections', {
      token: relogin.access_token,
    });
    assert.deepEqual(
      (connections.items ?? connections.connections).length,
      1,
      'the connection with another company stands',
    );
    const lookup = await platform().call('GET', `/api/person/lookup/${company.code}/${service.code}`, {
      token: relogin.access_token,
    });
    assert.equal(lookup.body.error_key, 'profile.not_found');
    const key = await platform().call('GET', `/api/keys/${company.code}`, { token: relogin.access_token });
    assert.equal(key.body.error_key, 'keys.not_found');
    assert.match(await lastMail(platform(), company.email), /is deleted/);
    assert.ok(Object.keys(await rowsOf(platform(), bystander.id)).length > 0);
    // The address is free for a new beginning.
    const again = await platform().call('POST', '/api/portal/register', { body: { email: company.email } });
    assert.notEqual(again.status, 409);
  });

  test('ends its connections with other companies, which are notified', async () => {
    const company = await createCustomer(platform(), 'Leaving');
    const partner = await createCustomer(platform(), 'Staying');
    const ours = await createService(platform(), company.company);
    const theirs = await createService(platform(), partner.company);
    await connectCompany(platform(), company, theirs);
    await connectCompany(platform(), partner, ours);
    await confirmDeletion(platform(), company.company);
    platform().clock.advance(14 * DAY);
    await runDeletions(platform());
    const heard = await platform()
      .context.database.reader.selectFrom('changes')
      .select(['feed', 'event', 'share_code'])
      .where('event', '=', 'connection_deleted')
      .where('feed', 'in', [theirs.id, partner.company.id])
      .orderBy('seq')
      .execute();
    assert.deepEqual(heard, [
      // On the feed of the service that lost a customer, and on the account feed of who lost a service.
      { feed: theirs.id, event: 'connection_deleted', share_code: company.company.code },
      { feed: partner.company.id, event: 'connection_deleted', share_code: partner.company.code },
    ]);
    assert.deepEqual(await rowsOf(platform(), company.company.id), {});
    const service = await platform()
      .context.database.reader.selectFrom('services')
      .select('connection_count')
      .where('id', '=', theirs.id)
      .executeTakeFirst();
    assert.equal(service?.connection_count, 0);
  });

  test('takes its photos along, bytes and all', async () => {
    const company = await registerCompany(platform());
    await platform().must('POST', '/api/photos', { token: company.token, body: { file: await onePixel() } });
    const blobs = () => platform().context.database.reader.selectFrom('blobs').select('refs').execute();
    assert.ok((await blobs()).some((row) => row.refs > 0));
    await confirmDeletion(platform(), company);
    platform().clock.advance(14 * DAY);
    await runDeletions(platform());
    assert.ok((await blobs()).every((row) => row.refs === 0));
  });

  test('takes the second factor when that is on', async () => {
    const company = await registerCompany(platform());
    const { token, loginSecret: login_secret } = company;
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const asked = await platform().call('POST', REQUEST, { token, body: { login_secret } });
    assert.equal(asked.body.error_key, 'auth.two_factor_required');
    const wrong = await platform().call('POST', REQUEST, { token, body: { login_secret, code: '000000' } });
    assert.equal(wrong.body.error_key, 'auth.second_factor_invalid');
    const given = await platform().call('POST', REQUEST, { token, body: { login_secret, code: code() } });
    assert.equal(given.status, 202, given.text);
  });

  test('is taken back by any owner, and then does not happen', async () => {
    const company = await registerCompany(platform());
    const owner = await addDelegate(platform(), company, 'owner');
    const withdraw = (token: string) => platform().call('DELETE', REQUEST, { token });
    const nothing = await withdraw(company.token);
    proves('error:account.deletion_not_pending', 'state:deletion.confirmed-cancelled');
    assert.deepEqual([nothing.status, nothing.body.error_key], [409, 'account.deletion_not_pending']);
    await confirmDeletion(platform(), owner);
    const pending = await platform().must('GET', REQUEST, { token: company.token });
    proves('route:GET /api/account/delete-request');
    assert.equal(pending.pending, true);
    proves('route:DELETE /api/account/delete-request');
    assert.equal((await withdraw(company.token)).status, 204);
    assert.match(await lastMail(platform(), owner.email), /will not be deleted/);
    platform().clock.advance(14 * DAY);
    await runDeletions(platform());
    const { email, loginSecret: login_secret } = company;
    const signIn = await platform().call('POST', '/api/portal/sign-in', { body: { email, login_secret } });
    assert.equal(signIn.status, 200);
  });

  test('is an owner matter', async () => {
    const company = await registerCompany(platform());
    const admin = await addDelegate(platform(), company, 'admin');
    for (const [method, path, body] of [
      ['POST', REQUEST, { login_secret: admin.loginSecret }],
      ['POST', CONFIRM, { code: '123456' }],
      ['DELETE', REQUEST, undefined],
    ] as const) {
      const refused = await platform().call(method, path, { token: admin.token, body });
      assert.deepEqual([refused.status, refused.body.error_key], [403, 'auth.role_forbidden']);
    }
  });

  test('that was interrupted goes on, and many rows go in pieces', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    await insertConnections(platform(), service, await insertPeople(platform(), 1200));
    const { accountDeletion, database, ids, jobWorker } = platform().context;
    const rows = Array.from({ length: 2000 }, () => ({
      company_id: company.id,
      id: ids.uuid(),
      actor_kind: 'platform' as const,
      actor_id: 'test',
      action: 'company.renamed',
      target: company.id,
      details: '{}',
      created_at: platform().clock.now(),
    }));
    await database.write((writer) => writer.insertInto('audit_log').values(rows).execute());
    await confirmDeletion(platform(), company);
    platform().clock.advance(14 * DAY);
    await accountDeletion.run(running());
    const { connections } = await rowsOf(platform(), company.id);
    assert.equal(connections, 1200, 'jobs end them');
    const there = () => database.reader.selectFrom('companies').select('id').where('id', '=', company.id);
    await accountDeletion.run(running());
    assert.equal((await there().execute()).length, 1, 'its row waits for them');
    await jobWorker.run();
    const left: number[] = [];
    for (let looks = 1; left.at(-1) !== 0; looks++) {
      await accountDeletion.run(stoppingAfter(looks));
      const counts = Object.values(await rowsOf(platform(), company.id));
      left.push(counts.reduce((sum, count) => sum + count, 0));
    }
    assert.ok(left.length > 5, `interrupted ${left.length - 1} times`);
    assert.match(await lastMail(platform(), company.email), /is deleted/);
    // Nothing is left to do.
    await accountDeletion.run(running());
  });

  test('finds its rows by an index, whatever the table', async () => {
    if (platform().engine !== 'sqlite') return;
    const { database, tables } = platform().context;
    const scans: string[] = [];
    for (const { table, column } of deletedTables(tables)) {
      const { rows } = await sql<{ detail: string }>`
        explain query plan delete from ${sql.table(table.name)} where rowid in (
          select rowid from ${sql.table(table.name)} where ${sql.ref(column)} >= ${'x'} and ${sql.ref(column)} <= ${'x'}
          order by ${sql.ref(column)} limit 500)
      `.execute(database.reader as never);
      const plan = rows.map(({ detail }) => detail).join('; ');
      if (/SCAN|TEMP B-TREE/.test(plan)) scans.push(`${table.name}: ${plan}`);
    }
    assert.deepEqual(scans, []);
  });

  test('waits for the job of a service that was deleted before, and its customers are notified once', async () => {
    const leaving = await createCustomer(platform(), 'Leaving too');
    const partner = await createCustomer(platform(), 'Staying too');
    const ours = await createService(platform(), leaving.company);
    const theirs = await createService(platform(), partner.company);
    await connectCompany(platform(), partner, ours);
    const { token } = leaving.company;
    await connectCompany(platform(), leaving, theirs);
    await confirmDeletion(platform(), leaving.company);
    await platform().must('DELETE', `/api/services/${ours.id}?confirm=true`, { token });
    // The other way round: a customer is deleted while the job of a service has not come to it.
    await platform().must('DELETE', `/api/services/${theirs.id}?confirm=true`, {
      token: partner.company.token,
    });
    platform().clock.advance(14 * DAY);
    await runDeletions(platform());
    const heard = await platform()
      .context.database.reader.selectFrom('changes')
      .select(['feed', 'event', 'service_id'])
      .where('event', '=', 'connection_deleted')
      .where('feed', 'in', [theirs.id, ours.id, partner.company.id, leaving.company.id])
      .execute();
    assert.deepEqual(heard, [{ feed: partner.company.id, event: 'connection_deleted', service_id: ours.id }]);
    assert.deepEqual(await rowsOf(platform(), leaving.company.id), {});
  });
});
