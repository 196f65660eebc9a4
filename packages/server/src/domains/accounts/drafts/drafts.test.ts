import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerCompany, registerPerson, sealed } from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { Drafts } from './drafts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const AT = '/api/person/drafts';

onEachEngine('drafts of a person', (platform) => {
  const names = async (token: string) =>
    (await platform().must('GET', AT, { token })).items.map(({ name }: { name: string }) => name);

  test('are kept as they were sealed, one of a name, and of nobody else', async () => {
    const { token } = await registerPerson(platform());
    const other = await registerPerson(platform());
    const at = `${AT}/flow.Run-1.step_2`;
    await refused(platform(), [404, 'people.draft_not_found'], 'GET', at, { token });
    await platform().must('PUT', at, { token, body: { value: await sealed('half') } });
    const value = await sealed('more');
    platform().clock.advance(1000);
    await platform().must('PUT', at, { token, body: { value: JSON.parse(value) } });
    const draft = await platform().must('GET', at, { token });
    proves('route:PUT /api/person/drafts/{name}', 'route:GET /api/person/drafts/{name}');
    assert.deepEqual([draft.name, JSON.parse(draft.value)], ['flow.Run-1.step_2', JSON.parse(value)]);
    assert.equal(Date.parse(draft.updated_at), platform().clock.now());
    assert.deepEqual((await platform().must('GET', AT, { token })).items, [draft]);
    proves('route:GET /api/person/drafts');
    await refused(platform(), [404, 'people.draft_not_found'], 'GET', at, { token: other.token });
    proves('error:people.draft_not_found');
    await platform().must('DELETE', at, { token: other.token });
    assert.deepEqual(await names(token), [draft.name]);
    await platform().must('DELETE', at, { token });
    await platform().must('DELETE', at, { token });
    proves('route:DELETE /api/person/drafts/{name}');
    assert.deepEqual(await names(token), []);
  });

  test('are sealed values with plain names, and nothing else', async () => {
    const { token } = await registerPerson(platform());
    const value = await sealed('x');
    for (const name of ['a%2Fb', 'a b', 'x'.repeat(101)])
      await refused(platform(), [400, 'request.invalid'], 'PUT', `${AT}/${name}`, { token, body: { value } });
    const put = (body: object) => ({ token, body });
    const at = `${AT}/x`;
    await refused(
      platform(),
      [400, 'contact_data.encryption_required'],
      'PUT',
      at,
      put({ value: 'in plain words' }),
    );
    await refused(platform(), [400, 'request.invalid'], 'PUT', at, put({ value, more: 1 }));
    assert.deepEqual(await names(token), []);
  });

  test('are fifty at most, of which the oldest go, and end thirty days after the last change', async () => {
    const { token, id } = await registerPerson(platform());
    const value = await sealed('x');
    for (let number = 0; number <= limits.draftsMost; number++) {
      platform().clock.advance(1);
      await platform().must('PUT', `${AT}/d${number}`, { token, body: { value } });
    }
    const kept = await names(token);
    proves('limit:draftsMost');
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [50, 'd50', 'd1']);
    // Tokens live for an hour: what stands is read below the routes.
    const { database } = platform().context;
    const standing = async () => {
      const drafts = new Drafts({ clock: platform().clock, database });
      return (await drafts.list({ table: 'person_drafts', key: { person_id: id } })).map(({ name }) => name);
    };
    platform().clock.advance(limits.draftDays * DAY_MS - 1);
    assert.deepEqual(await standing(), ['d50']);
    platform().clock.advance(1);
    proves('limit:draftDays');
    assert.deepEqual(await standing(), []);
  });
});

onEachEngine('drafts of a login', (platform) => {
  const OWN = '/api/account/drafts';
  const names = async (token: string) =>
    (await platform().must('GET', OWN, { token })).items.map(({ name }: { name: string }) => name);

  test('are kept as they were sealed, for nobody else of the company, and go with the login', async () => {
    const company = await registerCompany(platform());
    const [kim, viewer] = [
      await addDelegate(platform(), company, 'support'),
      await addDelegate(platform(), company, 'viewer'),
    ];
    const at = `${OWN}/message.1`;
    const value = await sealed('half');
    await platform().must('PUT', at, { token: kim.token, body: { value } });
    await platform().must('PUT', at, { token: viewer.token, body: { value: await sealed('of another') } });
    assert.equal((await platform().must('GET', at, { token: kim.token })).value, value);
    assert.deepEqual([await names(kim.token), await names(company.token)], [['message.1'], []]);
    await refused(platform(), [404, 'people.draft_not_found'], 'GET', at, { token: company.token });
    await refused(platform(), [400, 'contact_data.encryption_required'], 'PUT', at, {
      ...{ token: kim.token, body: { value: 'in plain words' } },
    });
    await platform().must('DELETE', at, { token: viewer.token });
    assert.deepEqual([await names(viewer.token), await names(kim.token)], [[], ['message.1']]);
    const { database } = platform().context;
    const left = () => database.reader.selectFrom('login_drafts').select('name').execute();
    const before = (await left()).length;
    await platform().must('DELETE', `/api/delegates/${kim.id}`, { token: company.token });
    assert.equal((await left()).length, before - 1);
    proves(
      'route:GET /api/account/drafts',
      'route:GET /api/account/drafts/{name}',
      'route:PUT /api/account/drafts/{name}',
      'route:DELETE /api/account/drafts/{name}',
    );
  });

  test('are fifty at most, of which the oldest go', async () => {
    const { token } = await registerCompany(platform());
    const value = await sealed('x');
    for (let number = 0; number <= limits.draftsMost; number++) {
      platform().clock.advance(1);
      await platform().must('PUT', `${OWN}/d${number}`, { token, body: { value } });
    }
    const kept = await names(token);
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [50, 'd50', 'd1']);
  });
});
