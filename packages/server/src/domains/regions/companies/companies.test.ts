import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  createService,
  registerCompany,
  registerPerson,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { refusedWhenAnyFails } from '@symbolon/testkit/platform/failing-statements';
import { OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { waitingMessages } from '../messages/testing.ts';
import { CompanyMessage } from './company-replicas.ts';

withRegions('companies of other regions', ['eu', 'us'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  const rowOf = (platform: TestPlatform, id: string) =>
    platform.context.database.reader
      .selectFrom('companies')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
  let acme: TestCompany;
  before(async () => {
    acme = await registerCompany(us(), 'Acme');
    await regions().settle();
  });

  test('a replica of a company has its identity and account key, but no secret and no address', async () => {
    const home = await rowOf(us(), acme.id);
    const replica = await rowOf(eu(), acme.id);
    assert.ok(home && replica);
    const { name, code, account_public_key, account_public_key_sha256, level, created_at } = home;
    assert.deepEqual(replica, {
      id: acme.id,
      name,
      code,
      account_public_key,
      account_public_key_sha256,
      level,
      created_at,
      region: 'us',
      card_version: home.card_version,
      email: acme.id,
      account_private_key: '',
      recovery_public_key: '',
      recovery_private_key: '',
      second_factor_required: 0,
    });
    const person = await registerPerson(eu());
    const key = await eu().must('GET', `/api/keys/${acme.code}`, { token: person.token });
    assert.equal(key.public_key, account_public_key);
    const batch = await eu().must('POST', '/api/keys/batch', {
      token: person.token,
      body: { user_ids: [acme.id] },
    });
    assert.deepEqual(batch.keys, { [acme.id]: account_public_key });
  });

  test('replicas follow a new name and a new level', async () => {
    const renamed = await refusedWhenAnyFails(us(), () =>
      us().call('PUT', '/api/profile', { token: acme.token, body: { display_name: 'Acme Inc' } }),
    );
    assert.equal(renamed.status, 200);
    await us().must('PUT', `/api/admin/companies/${acme.id}/level`, {
      token: OPERATOR,
      body: { level: 'enterprise' },
    });
    await regions().settle();
    const replica = await rowOf(eu(), acme.id);
    assert.deepEqual([replica?.name, replica?.level, replica?.region], ['Acme Inc', 'enterprise', 'us']);
  });

  test('the newer of two replicas wins in either order, and a company of this region is never overwritten', async () => {
    const { companyReplicas, database } = eu().context;
    const home = await us().context.companyReplicas.ofHome(us().context.database.reader, acme.id);
    assert.ok(home);
    const apply = (replica: typeof home, at: TestPlatform) =>
      at.context.database.write((writer) => at.context.companyReplicas.apply(writer, replica));
    await apply({ ...home, name: 'Newer', card_version: home.card_version + 2 }, eu());
    await apply({ ...home, name: 'Older', card_version: home.card_version + 1 }, eu());
    assert.equal((await rowOf(eu(), acme.id))?.name, 'Newer');
    assert.equal(await companyReplicas.ofHome(database.reader, acme.id), undefined);
    await apply({ ...home, region: 'eu', name: 'Taken', card_version: home.card_version + 9 }, us());
    assert.equal((await rowOf(us(), acme.id))?.region, null);
  });

  test('replicas are not counted in statistics, cannot be changed here and have nothing encrypted here', async () => {
    const statistics = await eu().must('GET', '/api/admin/statistics', { token: OPERATOR });
    assert.equal(statistics.companies.total, 0);
    const [listed] = (await eu().must('GET', `/api/admin/companies?search=${acme.code}`, { token: OPERATOR }))
      .items;
    assert.deepEqual([listed.company_user_id, listed.region, listed.email], [acme.id, 'us', '']);
    const level = await eu().call('PUT', `/api/admin/companies/${acme.id}/level`, {
      token: OPERATOR,
      body: { level: 'free' },
    });
    assert.deepEqual(
      [level.status, level.body.error_key, level.body.api_url],
      [421, 'region.rebase_required', us().url],
    );
    assert.equal((await eu().context.keyRotation.view()).versions.length, 1);
    const mail = await eu().call('POST', '/api/portal/login', {
      body: { email: acme.id, login_secret: acme.loginSecret },
    });
    assert.ok(mail.status >= 400, mail.text);
  });

  test('people of other regions are listed with their home, and only the home changes their codes', async () => {
    const person = await registerPerson(us());
    await regions().settle();
    const [listed] = (
      await eu().must('GET', `/api/admin/people?search=${person.shareCode}`, { token: OPERATOR })
    ).items;
    assert.deepEqual([listed.person_user_id, listed.region, listed.email], [person.id, 'us', '']);
    const path = `/api/admin/people/${person.id}/share-codes/CHOSEN`;
    const call = { token: OPERATOR };
    const added = await eu().call('PUT', path, call);
    assert.deepEqual([added.status, added.body.api_url], [421, us().url], added.text);
    await us().must('PUT', path, call);
    const key = () => eu().call('GET', '/api/keys/CHOSEN', { token: person.token });
    assert.equal((await key()).body.share_code, person.shareCode);
    await regions().settle();
    const removed = await eu().call('DELETE', path, call);
    assert.deepEqual([removed.status, removed.body.api_url], [421, us().url], removed.text);
    await us().must('DELETE', path, call);
    await regions().settle();
    assert.equal((await key()).body.error_key, 'keys.not_found');
  });

  test('a region that is added later receives the replicas of older companies, once', async () => {
    await eu().context.database.write(async (writer) => {
      await writer.deleteFrom('companies').where('id', '=', acme.id).execute();
      await writer.deleteFrom('share_codes').where('subject_id', '=', acme.id).execute();
    });
    const { companyBackfill, database } = us().context;
    assert.ok(companyBackfill);
    const running = new AbortController().signal;
    await companyBackfill.run(running);
    await regions().settle();
    assert.equal((await rowOf(eu(), acme.id))?.region, 'us');
    // Once: delivered events are not repeated.
    await companyBackfill.run(running);
    assert.deepEqual(await waitingMessages(database.reader).execute(), []);
  });

  test('the replica of a deleted company is deleted too', async () => {
    const gone = await registerCompany(us(), 'Gone');
    await createService(us(), gone);
    await regions().settle();
    assert.ok(await rowOf(eu(), gone.id));
    const { database, regionMessages } = us().context;
    // What a company that is at home here is said to be elsewhere changes nothing.
    await eu().context.database.write(async (writer) => {
      await eu().context.regionMessages?.send(writer, 'us', {
        kind: CompanyMessage.deleted,
        subject: acme.id,
        body: {},
      });
    });
    await database.write(async (writer) => {
      await regionMessages?.send(writer, 'eu', {
        kind: CompanyMessage.deleted,
        subject: gone.id,
        body: {},
      });
    });
    await regions().settle();
    assert.equal(await rowOf(eu(), gone.id), undefined);
    assert.ok(await rowOf(us(), acme.id));
    const codes = await eu()
      .context.database.reader.selectFrom('share_codes')
      .select('code')
      .where('subject_id', '=', gone.id)
      .execute();
    assert.deepEqual(codes, []);
  });
});
