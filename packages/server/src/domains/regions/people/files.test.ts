import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { limits, type RequestFieldInput } from '@symbolon/protocol';
import {
  createDataClient,
  createService,
  registerCompany,
  registerPerson,
  sealed,
  type TestDataClient,
  type TestPerson,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { sweepAll } from '../../../roles/sweep.ts';

const HOUR = 60 * 60 * 1000;
const sha256 = (text: string) => hash('sha256', text, 'hex');
const photo = (bytes = randomBytes(3000)) =>
  JSON.stringify({ full: `data:image/png;base64,${bytes.toString('base64')}` });
const rows: readonly RequestFieldInput[] = [
  { slug: 'photo', label: 'Photo', type: 'photo' },
  { slug: 'once', label: 'Photo', type: 'photo', one_time: true },
];

withRegions('files for companies of other regions', ['eu', 'us', 'ap'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  const settle = () => regions().settle();

  /** A company in the United States, and a person at home in Europe with a photo. */
  async function parties(isPrivate: boolean) {
    const company = await registerCompany(us());
    const service = await createService(us(), company, rows);
    const client = await createDataClient(us(), service);
    const person = await registerPerson(eu());
    const { token } = person;
    const slug = `f${randomBytes(4).toString('hex')}`;
    const body = { type: 'photo', label: 'Photo', slug, private: isPrivate };
    const { id } = await eu().must('POST', '/api/person/fields', { token, body });
    const path = `/api/person/fields/${id}`;
    const first = photo();
    await eu().must('PUT', `${path}/file`, {
      token,
      body: isPrivate ? { value: await sealed(first) } : { file: first },
    });
    await settle();
    const connect = (decisions: readonly object[]) =>
      eu().call('POST', '/api/person/connections', {
        token,
        body: { company_code: company.code, service_code: service.code, decisions },
      });
    const live = (more: object = {}) => ({
      request_field_id: service.rows.photo,
      kind: 'live',
      field_id: id,
      ...more,
    });
    const once = (more: object) => ({ request_field_id: service.rows.once, kind: 'one_time', ...more });
    return { company, service, client, person, token, id, path, first, connect, live, once };
  }
  const upload = async (person: TestPerson, plaintext: string) => {
    const value = await sealed(plaintext);
    const { upload_id } = await eu().must('POST', '/api/person/files', {
      token: person.token,
      body: { value },
    });
    return { upload_id: upload_id as string, value };
  };
  const fileAt = async (
    home: TestPlatform,
    client: TestDataClient,
    connectionId: string,
    rowId: string | undefined,
  ) => {
    const token = await tokenFor(home, client.clientId, client.clientSecret);
    return home.call('GET', `/api/company-data/connections/${connectionId}/slots/${rowId}/file`, { token });
  };
  const sweep = async (home: TestPlatform) => {
    await sweepAll(home.context.domain.sweeps, home.context);
  };
  const uploadsOf = async (person: TestPerson) =>
    eu()
      .context.database.reader.selectFrom('file_uploads')
      .select('id')
      .where('customer_id', '=', person.id)
      .execute();
  const blobAt = async (home: TestPlatform, digest: string) => {
    await home.context.blobs.sweep();
    const row = await home.context.database.reader
      .selectFrom('blobs')
      .select('refs')
      .where('hash', '=', digest)
      .executeTakeFirst();
    return row && Number(row.refs);
  };

  test('uploads answer rows of a company of another region, and stay there alone', async () => {
    const { service, client, person, connect, live, once } = await parties(true);
    const kept = await upload(person, photo());
    const given = await upload(person, photo());
    const connected = await connect([
      live({ upload_id: kept.upload_id }),
      once({ upload_id: given.upload_id }),
    ]);
    assert.equal(connected.status, 201, connected.text);
    const id = connected.body.connection_id;
    for (const [row, { value }] of [
      ['photo', kept],
      ['once', given],
    ] as const) {
      const answer = await fileAt(us(), client, id, service.rows[row]);
      assert.deepEqual([answer.status, answer.body.value === value], [200, true], row);
    }
    await settle();
    assert.deepEqual(await uploadsOf(person), [], 'used up');
    regions().clock.advance(HOUR);
    assert.equal(await blobAt(eu(), sha256(kept.value)), undefined);
    assert.equal(await blobAt(us(), sha256(kept.value)), 1);
    const again = await connect([live({ upload_id: kept.upload_id })]);
    assert.notEqual(again.status, 201);
  });

  test('an upload that is not there changes nothing', async () => {
    const { connect, live, person } = await parties(true);
    const stranger = await registerPerson(eu());
    const foreign = await upload(stranger, photo());
    const own = await upload(person, photo());
    for (const upload_id of [
      foreign.upload_id,
      own.upload_id.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
    ]) {
      const answer = await connect([live({ upload_id })]);
      assert.deepEqual([answer.status, answer.body.error_key], [404, 'contact_data.upload_not_found']);
    }
    assert.equal((await uploadsOf(person)).length, 1);
    assert.equal((await uploadsOf(stranger)).length, 1);
  });

  test('an edit reaches slots in another region with its sealed copies', async () => {
    const { service, client, person, token, path, connect, live } = await parties(true);
    const first = await upload(person, photo());
    const connected = await connect([live({ upload_id: first.upload_id })]);
    assert.equal(connected.status, 201, connected.text);
    const connection_id = connected.body.connection_id;
    await settle();
    await forgetEvents(us());
    const next = await upload(person, photo());
    const body = {
      value: await sealed(photo()),
      copies: [{ connection_id, request_field_id: service.rows.photo, upload_id: next.upload_id }],
    };
    const saved = await eu().call('PUT', `${path}/file`, { token, body });
    assert.equal(saved.status, 200, saved.text);
    // The other region is away for a while: what waits for it is not swept.
    regions().clock.advance(limits.fileTravelMs - HOUR);
    await sweep(eu());
    await settle();
    const answer = await fileAt(us(), client, connection_id, service.rows.photo);
    assert.deepEqual(
      [answer.status, answer.body.value === next.value],
      [200, true],
      answer.text.slice(0, 99),
    );
    assert.deepEqual(await eventNames(us(), service.id), ['field_updated photo']);
    await settle();
    assert.deepEqual(await uploadsOf(person), []);
    regions().clock.advance(HOUR);
    assert.equal(await blobAt(eu(), sha256(next.value)), undefined);
    assert.equal(await blobAt(us(), sha256(first.value)), undefined);
    assert.equal(await blobAt(us(), sha256(next.value)), 1);
    proves('limit:fileTravelMs');

    const { access_token } = await eu().must('POST', '/api/person/login', {
      body: { email: person.email, login_secret: person.loginSecret },
    });
    await eu().must('DELETE', `${path}/file`, { token: access_token });
    await settle();
    regions().clock.advance(HOUR);
    assert.equal(await blobAt(us(), sha256(next.value)), undefined);
  });

  test('a file in plaintext is given, and given again when it changes', async () => {
    const { service, client, token, id, path, first, connect, live, once } = await parties(false);
    const connected = await connect([live(), once({ field_id: id })]);
    assert.equal(connected.status, 201, connected.text);
    const connectionId = connected.body.connection_id;
    const read = async (row: string) => {
      const answer = await fileAt(us(), client, connectionId, service.rows[row]);
      assert.equal(answer.headers.get('content-type'), 'image/png');
      return answer.headers.get('x-platform-content-sha256');
    };
    const digestOf = (envelope: string) =>
      hash('sha256', Buffer.from(JSON.parse(envelope).full.split(',')[1], 'base64'), 'hex');
    assert.deepEqual([await read('photo'), await read('once')], [digestOf(first), digestOf(first)]);
    const [second, third] = [photo(), photo()];
    // The second is replaced before the other region has heard of it.
    for (const file of [second, third]) await eu().must('PUT', `${path}/file`, { token, body: { file } });
    regions().clock.advance(HOUR);
    await sweep(eu());
    await settle();
    assert.deepEqual([await read('photo'), await read('once')], [digestOf(third), digestOf(first)]);
  });

  test('the files of a company that moves to where its person is at home are there', async () => {
    const { company, service, client, person, token, path, connect, live } = await parties(true);
    const first = await upload(person, photo());
    const { body: connected } = await connect([live({ upload_id: first.upload_id })]);
    await settle();
    const move = await us().must('POST', `/api/admin/companies/${company.id}/moves`, {
      token: OPERATOR,
      body: { region: 'eu' },
    });
    const next = await upload(person, photo());
    const edit = await eu().call('PUT', `${path}/file`, {
      token,
      body: {
        value: await sealed(photo()),
        copies: [
          {
            connection_id: connected.connection_id,
            request_field_id: service.rows.photo,
            upload_id: next.upload_id,
          },
        ],
      },
    });
    assert.equal(edit.status, 200, edit.text);
    await us().context.companyMoves.moveSource.run();
    const { state } = await us().must('GET', `/api/admin/moves/${move.id}`, { token: OPERATOR });
    assert.equal(state, 'switched');
    await settle();
    const answer = await fileAt(eu(), client, connected.connection_id, service.rows.photo);
    assert.deepEqual(
      [answer.status, answer.body.value === next.value],
      [200, true],
      answer.text.slice(0, 99),
    );
    await settle();
    assert.deepEqual(await uploadsOf(person), []);
    assert.equal(await blobAt(eu(), sha256(next.value)), 1);
  });
});
