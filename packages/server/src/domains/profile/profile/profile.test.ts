import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAccountClient,
  createService,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusedWhenAnyFails } from '@symbolon/testkit/platform/failing-statements';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const PATH = '/api/profile';

onPlatform('the profile', (platform) => {
  test('a profile begins with the name the company registered with', async () => {
    const company = await registerCompany(platform(), 'Acme');
    assert.deepEqual(await platform().must('GET', PATH, { token: company.token }), {
      company_user_id: company.id,
      display_name: 'Acme',
      company_code: company.code,
      photo: null,
    });
  });

  test('a new display name is what people see, and is on record without being repeated there', async () => {
    const company = await registerCompany(platform(), 'Acme');
    const service = await createService(platform(), company);
    const renamed = await platform().must('PUT', PATH, {
      token: company.token,
      body: { display_name: '  Ümlaut & Söhne ' },
    });
    assert.equal(renamed.display_name, 'Ümlaut & Söhne');
    assert.deepEqual(await platform().must('GET', PATH, { token: company.token }), renamed);
    const person = await registerPerson(platform());
    const lookup = `/api/person/lookup/${company.code}/${service.code}`;
    const found = await platform().must('GET', lookup, { token: person.token });
    assert.equal(found.company.display_name, 'Ümlaut & Söhne');
    const log = await platform()
      .context.database.reader.selectFrom('audit_log')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('action', '=', 'profile.display_name_changed')
      .execute();
    assert.equal(log.length, 1);
    proves('route:GET /api/profile', 'route:PUT /api/profile');
    assert.ok(!JSON.stringify(log).includes('Ümlaut'));
  });

  test('a new name that is not saved whole is not acknowledged', async () => {
    const { token } = await registerCompany(platform());
    const renamed = await refusedWhenAnyFails(platform(), () =>
      platform().call('PUT', PATH, { token, body: { display_name: 'Whole' } }),
    );
    assert.equal(renamed.status, 200);
  });

  test('every account client may read and change it, whatever it was granted', async () => {
    const company = await registerCompany(platform());
    const client = await createAccountClient(platform(), company);
    const body = { display_name: 'By machine' };
    assert.equal(
      (await platform().must('PUT', PATH, { token: client.token, body })).display_name,
      'By machine',
    );
    assert.equal((await platform().must('GET', PATH, { token: client.token })).company_user_id, company.id);
  });

  test('an empty or invalid display name is refused', async () => {
    const { token } = await registerCompany(platform());
    proves('error:profile.display_name_invalid');
    for (const display_name of ['', '   ', 'x'.repeat(101), 7, null, undefined]) {
      const answer = await platform().call('PUT', PATH, { token, body: { display_name } });
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'profile.display_name_invalid']);
    }
  });
});
