import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  connect,
  createField,
  createService,
  decisionsFor,
  publish,
  registerCompany,
  registerPerson,
  sealed,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { connectedPerson } from '@symbolon/testkit/actors/scenes';
import type { Answer } from '@symbolon/testkit/platform/calls';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { withRegions } from '@symbolon/testkit/platform/regions';

const ROWS = [
  { slug: 'email', label: 'E-mail', type: 'email' },
  { slug: 'note', label: 'Note', type: 'text' },
] as const;

/** What a caller sees of an answer, as bytes. */
const seen = ({ status, headers, text }: Answer) => ({ status, type: headers.get('content-type'), text });

withRegions('people and companies of different regions', ['eu', 'us'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  let here: TestService;
  let there: TestService;
  let company: TestCompany;
  let person: TestPerson;
  before(async () => {
    company = await registerCompany(us(), 'There');
    there = await createService(us(), company, ROWS);
    here = await createService(eu(), await registerCompany(eu(), 'Here'), ROWS);
    await regions().settle();
  });

  /** The same call at a region where nothing of it is, and where all of it is. */
  const both = async (method: string, path: string, call: Parameters<TestPlatform['call']>[2]) => {
    const [asked, direct] = [await eu().call(method, path, call), await us().call(method, path, call)];
    assert.deepEqual(seen(asked), seen(direct), `${method} ${path}`);
    return direct;
  };

  test('a person connects right after registering, with a field that was just made', async () => {
    const ada = await registerPerson(eu());
    const field = await createField(eu(), ada, { type: 'email', slug: 'mail', value: 'a@b.example' });
    const id = await connect(eu(), ada, there, { email: { field, value: 'a@b.example' } });
    assert.deepEqual(await eventNames(us(), there.id), ['connection_created']);
    const { mappings } = await eu().must('GET', `/api/person/connections/${id}`, { token: ada.token });
    assert.deepEqual(
      mappings.map(({ slug, kind, field_id }: Record<string, unknown>) => [slug, kind, field_id]),
      [['email', 'live', field]],
    );
  });

  test('a company that has just registered is found before its replica has arrived', async () => {
    const ada = await registerPerson(eu());
    const shop = await createService(us(), await registerCompany(us(), 'Young'));
    await connect(eu(), ada, shop);
    const key = await eu().must('GET', `/api/keys/${shop.company.code}`, { token: ada.token });
    assert.equal(key.share_code, shop.company.code);
  });

  describe('answers are those of the region of the company, byte for byte', () => {
    let id: string;
    let token: string;
    before(async () => {
      person = await registerPerson(eu());
      token = person.token;
      await regions().settle();
      id = await connect(eu(), person, there, { note: { once: 'hello' } });
    });

    test('looking up, reading and keys work across regions in JSON and in XML', async () => {
      const paths = [
        `/api/person/lookup/${company.code}/${there.code}`,
        `/api/person/lookup/${company.code.toLowerCase()}/${there.code.toLowerCase()}`,
        `/api/person/lookup/${company.code}/NOTHING`,
        `/api/person/lookup/${company.code}`,
        `/api/person/lookup/NOTHING/${there.code}`,
        `/api/person/connections/${id}`,
        '/api/person/connections/00000000-0000-7000-8000-000000000000',
        `/api/keys/${company.code}/${there.code}`,
        `/api/keys/${company.code.toLowerCase()}/${there.code}`,
        `/api/keys/${company.code}/NOTHING`,
        `/api/keys/${company.code}`,
        '/api/keys/NOBODY',
      ];
      for (const path of paths) {
        await both('GET', path, { token });
        await both('GET', path, { token, headers: { accept: 'application/xml' } });
      }
    });

    test('refusals are the same across regions', async () => {
      const codes = { company_code: company.code, service_code: there.code };
      for (const [method, path, body] of [
        ['POST', '/api/person/connections', { ...codes, decisions: [] }],
        ['POST', '/api/person/connections', { ...codes, service_code: 'NOTHING', decisions: [] }],
        ['POST', '/api/person/connections', { company_code: company.code, decisions: [] }],
        ['POST', '/api/person/connections', { ...codes, decisions: [{ request_field_id: there.rows.note }] }],
        [
          'POST',
          '/api/person/connections',
          { ...codes, decisions: [{ request_field_id: there.rows.note, kind: 'one_time', value: 'plain' }] },
        ],
        ['PUT', `/api/person/connections/${id}/mappings`, { decisions: [], more: 1 }],
        [
          'PUT',
          `/api/person/connections/${id}/mappings`,
          {
            decisions: [
              { request_field_id: there.rows.email, kind: 'live', field_id: id, value: await sealed('x') },
            ],
          },
        ],
        ['POST', `/api/person/consents/${id}/provide`, { decisions: [] }],
        ['POST', `/api/person/consents/${id}/decline`, {}],
      ] as const) {
        const answer = await both(method, path, { token, body });
        assert.ok(answer.status >= 400, `${method} ${path}: ${answer.text}`);
      }
    });

    test('lists merge the entries of all regions, oldest first, in every region', async () => {
      regions().clock.advance(10);
      const second = await connect(eu(), person, here);
      regions().clock.advance(10);
      const shop = await createService(us(), company);
      const third = await connect(us(), person, shop);
      const list = await both('GET', '/api/person/connections', { token });
      assert.deepEqual(
        list.body.connections.map((one: { connection_id: string }) => one.connection_id),
        [id, second, third],
      );
      await both('GET', '/api/person/connections', { token, headers: { accept: 'application/xml' } });

      const asked = { ...ROWS[1], slug: 'asked', label: 'Asked' };
      await publish(us(), company, there.id, [...ROWS, asked]);
      await publish(eu(), here.company, here.id, [...ROWS, asked]);
      const consents = await both('GET', '/api/person/consents', { token });
      assert.deepEqual(
        consents.body.consents.map((one: { connection_id: string }) => one.connection_id),
        [id, second],
      );
    });

    test('a person answers, declines, maps again and leaves across regions', async () => {
      await forgetEvents(us());
      const { connections } = await eu().must('GET', '/api/person/connections', { token });
      const [{ pending_consent: consent }] = connections;
      const [row] = consent.request_fields;
      const provided = await eu().must('POST', `/api/person/consents/${consent.id}/provide`, {
        token,
        body: { decisions: await decisionsFor({ asked: row.id }, { asked: { once: 'yes' } }) },
      });
      assert.equal(provided.pending_consent, null);
      const field = await createField(eu(), person, { type: 'text', slug: 'text', value: 'note' });
      const body = { decisions: await decisionsFor(there.rows, { note: { field, value: 'note' } }) };
      const mapped = await eu().call('PUT', `/api/person/connections/${id}/mappings`, { token, body });
      assert.deepEqual(
        mapped.body.mappings.map((one: { slug: string; kind: string }) => [one.slug, one.kind]),
        [
          ['note', 'live'],
          ['asked', 'one_time'],
        ],
        mapped.text,
      );
      const left = await eu().call('DELETE', `/api/person/connections/${id}`, { token });
      assert.deepEqual([left.status, left.text], [204, '']);
      // Of a person who left, the feed has that alone.
      const events = await eventNames(us(), there.id);
      assert.ok(events.includes('connection_deleted'), events.join());
      assert.equal((await eu().call('GET', `/api/person/connections/${id}`, { token })).status, 404);
      assert.equal((await us().call('GET', `/api/person/connections/${id}`, { token })).status, 404);
    });
  });

  test('a person declines a consent of a service in another region', async () => {
    const ada = await registerPerson(eu());
    const shop = await createService(us(), company);
    await connect(eu(), ada, shop);
    await publish(us(), company, shop.id, [ROWS[1]]);
    const { consents } = await eu().must('GET', '/api/person/consents', { token: ada.token });
    const declined = await eu().must('POST', `/api/person/consents/${consents[0].id}/decline`, {
      token: ada.token,
      body: {},
    });
    assert.equal(declined.pending_consent, null);
    assert.deepEqual(await eventNames(us(), shop.id), ['connection_created', 'consent_declined note']);
  });

  test('a request target that names a host is not followed', async () => {
    const { person: ada, connectionId: id } = await connectedPerson(eu(), there);
    const { text } = await us().call('GET', `/api/person/connections/${id}`, { token: ada.token });
    const client = await RawClient.open(eu().url);
    client.send(`http://elsewhere.example/api/person/connections/${id}`, ada.token, ['Connection: close']);
    assert.equal(await client.read(), text);
    await client.destroy();
  });

  test('a caller cannot reach the data of others through another region', async () => {
    const [ada, eve] = [await registerPerson(eu()), await registerPerson(eu())];
    const id = await connect(eu(), ada, there);
    for (const method of ['GET', 'DELETE']) {
      const answer = await eu().call(method, `/api/person/connections/${id}`, { token: eve.token });
      assert.deepEqual([answer.status, answer.body.error_key], [404, 'connections.not_found']);
    }
    assert.equal((await eu().call('GET', `/api/person/connections/${id}`, { token: ada.token })).status, 200);
  });
});
