import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { limits, type RequestFieldInput } from '@symbolon/protocol';
import {
  createDataClient,
  createService,
  publish,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
  type TestService,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform, startPlatform } from '@symbolon/testkit/platform/platform';
import { forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { startS3 } from '@symbolon/testkit/servers/s3-server';
import { toXml } from '../../../http/xml.ts';
import { sweepAll } from '../../../roles/sweep.ts';

const DAY = 24 * 60 * 60 * 1000;
const PDF = Buffer.from('%PDF-1.7\nnot much of a document\n%%EOF');
const uri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
const photo = (bytes: Buffer) => JSON.stringify({ full: uri('image/png', bytes) });
const sha256 = (text: string | Buffer) => hash('sha256', text, 'hex');

const rows: readonly RequestFieldInput[] = [
  { slug: 'photo', label: 'Photo', type: 'photo' },
  { slug: 'paper', label: 'Paper', type: 'document', one_time: true },
  { slug: 'pass', label: 'Passport', type: 'proof_of_identity' },
];

onPlatform('files as answers', (platform) => {
  const field = async (person: TestPerson, type: string, isPrivate: boolean): Promise<string> => {
    const slug = `f${randomBytes(4).toString('hex')}`;
    const body = { type, label: 'File', slug, private: isPrivate };
    return (await platform().must('POST', '/api/person/fields', { token: person.token, body })).id;
  };
  const put = (person: TestPerson, id: string, body: object) =>
    platform().call('PUT', `/api/person/fields/${id}/file`, { token: person.token, body });
  const upload = async (person: TestPerson, plaintext: string) => {
    const value = await sealed(plaintext);
    const { upload_id } = await platform().must('POST', '/api/person/files', {
      token: person.token,
      body: { value },
    });
    return { upload_id, value };
  };
  const connect = (person: TestPerson, service: TestService, decisions: readonly object[]) =>
    platform().call('POST', '/api/person/connections', {
      token: person.token,
      body: { company_code: service.company.code, service_code: service.code, decisions },
    });
  const setUp = async () => {
    const service = await createService(platform(), await registerCompany(platform()), rows);
    const person = await registerPerson(platform());
    const client = await createDataClient(platform(), service);
    const token = await tokenFor(platform(), client.clientId, client.clientSecret);
    return { service, person, client, token };
  };
  const fileOf = (connectionId: string, rowId: string | undefined, token: string, accept = '*/*') =>
    platform().call('GET', `/api/company-data/connections/${connectionId}/slots/${rowId}/file`, {
      token,
      headers: { accept },
    });
  const digestOf = (answer: { headers: Headers }) => answer.headers.get('x-platform-content-sha256');
  const refs = async (digest: string) => {
    await platform().context.blobs.sweep();
    const row = await platform()
      .context.database.reader.selectFrom('blobs')
      .select('refs')
      .where('hash', '=', digest)
      .executeTakeFirst();
    return row && Number(row.refs);
  };

  test('the copies of a private file follow it, sealed, in one act', async () => {
    const { service, person, token } = await setUp();
    const id = await field(person, 'photo', true);
    const own = await sealed(photo(randomBytes(300_000)));
    const saved = await put(person, id, { value: own });
    assert.equal(saved.status, 200, saved.text.slice(0, 300));
    assert.deepEqual(
      [saved.body.value, saved.body.file],
      [null, { sha256: sha256(own), bytes: own.length, sealed: true }],
    );
    const read = await platform().call('GET', `/api/person/fields/${id}/file`, { token: person.token });
    assert.deepEqual([read.status, read.body.encrypted, digestOf(read)], [200, true, sha256(own)]);
    assert.ok(read.body.value === own);
    assert.equal(Number(read.headers.get('content-length')), Buffer.byteLength(read.text));

    const plaintext = photo(randomBytes(200_000));
    const first = await upload(person, plaintext);
    const decision = { request_field_id: service.rows.photo, kind: 'live', field_id: id };
    const bare = await connect(person, service, [decision]);
    assert.deepEqual([bare.status, bare.body.error_key], [422, 'contact_data.file_required']);
    proves('error:contact_data.file_required');
    const connected = await connect(person, service, [{ ...decision, upload_id: first.upload_id }]);
    assert.equal(connected.status, 201, connected.text);
    const connectionId = connected.body.connection_id;
    const answer = await fileOf(connectionId, service.rows.photo, token);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.deepEqual([answer.body.encrypted, digestOf(answer)], [true, sha256(answer.body.value)]);
    proves('route:POST /api/person/files');
    assert.ok((await service.open(answer.body.value)) === plaintext);
    const forStaff = `/api/services/${service.id}/customers/${connectionId}/slots/${service.rows.photo}/file`;
    const staff = await platform().call('GET', forStaff, { token: service.company.token });
    assert.equal(digestOf(staff), digestOf(answer));
    assert.ok(staff.body.value === answer.body.value);
    const stranger = await registerCompany(platform());
    const foreign = await platform().call('GET', forStaff, { token: stranger.token });
    assert.deepEqual([foreign.status, foreign.body.error_key], [404, 'services.not_found']);
    proves('route:GET /api/services/{id}/customers/{connectionId}/slots/{serviceFieldId}/file');
    // A program that is set to XML reads every answer as XML, whatever its content type says.
    const xml = await fileOf(connectionId, service.rows.photo, token, 'application/xml');
    assert.match(xml.headers.get('content-type') ?? '', /^application\/xml/);
    assert.deepEqual([xml.headers.get('vary'), digestOf(xml)], ['Accept', digestOf(answer)]);
    assert.equal(Number(xml.headers.get('content-length')), Buffer.byteLength(xml.text));
    assert.ok(xml.text === toXml(answer.body), xml.text.slice(0, 300));
    const again = await connect(person, await createService(platform(), service.company, rows), [
      { ...decision, request_field_id: service.rows.photo, upload_id: first.upload_id },
    ]);
    assert.notEqual(again.status, 201);

    await forgetEvents(platform());
    const edited = await sealed(photo(randomBytes(1000)));
    const missing = await put(person, id, { value: edited });
    assert.deepEqual([missing.status, missing.body.error_key], [409, 'contact_data.copies_missing']);
    const slot = { connection_id: connectionId, request_field_id: service.rows.photo };
    const next = await upload(person, photo(randomBytes(1000)));
    const unknown = await put(person, id, { value: edited, copies: [{ ...slot, upload_id: connectionId }] });
    assert.deepEqual([unknown.status, unknown.body.error_key], [404, 'contact_data.upload_not_found']);
    proves('error:contact_data.upload_not_found');
    const stored = await put(person, id, { value: edited, copies: [{ ...slot, upload_id: next.upload_id }] });
    assert.equal(stored.status, 200, stored.text.slice(0, 300));
    const { changes } = await platform().must('GET', '/api/company-data/changes', { token });
    assert.deepEqual(
      changes.map(({ event, live, value_url, content_sha256 }: Record<string, unknown>) => [
        event,
        live,
        value_url,
        content_sha256,
      ]),
      [
        [
          'field_updated',
          true,
          `/api/company-data/connections/${connectionId}/slots/${service.rows.photo}/file`,
          sha256(next.value),
        ],
      ],
    );
    const list = await platform().must('GET', '/api/company-data/connections', { token });
    assert.equal(list.items[0].values.photo.content_sha256, sha256(next.value));
    // What was replaced is not referred to any more.
    assert.deepEqual(
      [await refs(sha256(own)), await refs(sha256(first.value)), await refs(sha256(next.value))],
      [0, 0, 1],
    );
  });

  test('a file in plaintext is served as it is, to the person and to the companies that have it', async () => {
    const { service, person, token } = await setUp();
    const image = randomBytes(100_000);
    const id = await field(person, 'photo', false);
    const saved = await put(person, id, { file: photo(image) });
    assert.equal(saved.status, 200, saved.text);
    assert.deepEqual(saved.body.file, {
      sha256: sha256(image),
      bytes: image.length,
      sealed: false,
      content_type: 'image/png',
    });
    const decision = { request_field_id: service.rows.photo, kind: 'live', field_id: id };
    const { body } = await connect(person, service, [decision]);
    const bytes = async (path: string, bearer: string) => {
      const answer = await fetch(`${platform().url}${path}`, {
        headers: { authorization: `Bearer ${bearer}`, accept: 'application/xml' },
      });
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const slot = `/api/company-data/connections/${body.connection_id}/slots/${service.rows.photo}/file`;
    for (const [path, bearer] of [
      [slot, token],
      [`/api/person/fields/${id}/file`, person.token],
    ] as const) {
      const { answer, bytes: served } = await bytes(path, bearer);
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type'), digestOf(answer)],
        [200, 'image/png', sha256(image)],
      );
      assert.ok(served.equals(image));
      assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; sandbox");
    }
    // A new value needs no copies: the slots get the same bytes.
    const other = randomBytes(500);
    assert.equal((await put(person, id, { file: photo(other) })).status, 200);
    assert.ok((await bytes(slot, token)).bytes.equals(other));
    const toPrivate = await platform().call('PUT', `/api/person/fields/${id}`, {
      token: person.token,
      body: { private: true },
    });
    assert.deepEqual([toPrivate.status, toPrivate.body.error_key], [400, 'contact_data.encryption_required']);
    const gone = await platform().call('DELETE', `/api/person/fields/${id}/file`, { token: person.token });
    proves('route:DELETE /api/person/fields/{id}/file');
    assert.equal(gone.status, 204, gone.text);
    const after = await fileOf(body.connection_id, service.rows.photo, token);
    assert.deepEqual([after.status, after.body.error_key], [404, 'company_data.file_not_found']);
    const nowhere = await fileOf('019bd0f2-8c00-7000-8000-000000000000', service.rows.photo, token);
    assert.deepEqual([nowhere.status, nowhere.body.error_key], [404, 'company_data.connection_not_found']);
    proves('error:company_data.file_not_found');
    assert.deepEqual([await refs(sha256(image)), await refs(sha256(other))], [0, 0]);
  });

  test('types that clients take for JSON or XML are served as bytes', async () => {
    const { person } = await setUp();
    const id = await field(person, 'document', false);
    for (const type of ['image/svg+xml', 'application/json', 'Application/XML']) {
      const { body } = await put(person, id, { file: JSON.stringify({ file: uri(type, PDF) }) });
      assert.equal(body.file.content_type, 'application/octet-stream', type);
    }
  });

  test('a document with pages and entries is served as an envelope', async () => {
    const { service, person, token } = await setUp();
    const id = await field(person, 'passport', false);
    const page = (label: string) => ({
      label,
      file: uri('image/jpeg', randomBytes(2000)),
      original_name: `${label} "1".jpg`,
      mime_type: 'image/jpeg',
      size: 2000,
    });
    const envelope = { pages: [page('front'), page('back')], document_number: 'C01X', issuing_country: 'DE' };
    const without = await put(person, id, { file: JSON.stringify({ ...envelope, issuing_country: '' }) });
    assert.deepEqual([without.status, without.body.error_key], [400, 'contact_data.value_invalid']);
    assert.equal((await put(person, id, { file: JSON.stringify(envelope) })).status, 200);
    const decision = { request_field_id: service.rows.pass, kind: 'live', field_id: id };
    const { body } = await connect(person, service, [decision]);
    const answer = await fileOf(body.connection_id, service.rows.pass, token);
    assert.equal(answer.body.encrypted, false);
    assert.deepEqual(JSON.parse(answer.body.value), envelope);
    assert.equal(digestOf(answer), sha256(answer.body.value));
    const xml = await fileOf(body.connection_id, service.rows.pass, token, 'application/xml');
    assert.match(xml.headers.get('content-type') ?? '', /^application\/xml/);
    assert.ok(xml.text === toXml(answer.body), xml.text.slice(0, 300));
  });

  test('what is no file of its type is refused, and changes nothing', async () => {
    const { person } = await setUp();
    const pdf = await field(person, 'pdf_document', false);
    const text = await platform().must('POST', '/api/person/fields', {
      token: person.token,
      body: { type: 'text', label: 'Text', slug: 'text', value: await sealed('x') },
    });
    const hidden = await field(person, 'photo', true);
    const large = JSON.stringify({
      file: uri('application/pdf', Buffer.concat([PDF, Buffer.alloc(15 * 2 ** 20)])),
    });
    const file = JSON.stringify({ file: uri('application/pdf', PDF) });
    const refusals: [string, object, number, string][] = [
      [
        pdf,
        { file: JSON.stringify({ file: uri('application/pdf', randomBytes(10)) }) },
        400,
        'contact_data.value_invalid',
      ],
      [pdf, { file: JSON.stringify({ file: uri('image/png', PDF) }) }, 400, 'contact_data.value_invalid'],
      [pdf, { file: '{}' }, 400, 'contact_data.value_invalid'],
      [pdf, { file: 'no envelope' }, 400, 'contact_data.value_invalid'],
      [pdf, { file: large }, 413, 'contact_data.file_too_large'],
      [pdf, { value: file }, 400, 'contact_data.wrapper_invalid'],
      [pdf, {}, 400, 'request.invalid'],
      [pdf, { file, value: await sealed(file) }, 400, 'request.invalid'],
      [text.id, { file }, 400, 'contact_data.not_a_file'],
      [hidden, { file: photo(PDF) }, 400, 'contact_data.encryption_required'],
      [person.id, { file }, 404, 'contact_data.not_found'],
    ];
    for (const [id, body, status, key] of refusals) {
      const answer = await put(person, id, body);
      assert.deepEqual([answer.status, answer.body.error_key], [status, key], answer.text.slice(0, 200));
    }
    proves('error:contact_data.file_too_large', 'error:contact_data.not_a_file', 'limit:fileBytes');
    for (const method of ['GET', 'DELETE'] as const) {
      const path = `/api/person/fields/${pdf}/file`;
      const none = await platform().call(method, path, { token: person.token });
      assert.deepEqual([none.status, none.body.error_key], [404, 'contact_data.file_not_found'], method);
    }
    proves('error:contact_data.file_not_found');
  });

  test('a file that is given once is there for 90 days; then only its digest and the time are left', async () => {
    const { service, person, client } = await setUp();
    const newToken = () => tokenFor(platform(), client.clientId, client.clientSecret);
    const { upload_id, value } = await upload(person, JSON.stringify({ file: uri('application/pdf', PDF) }));
    const decision = { request_field_id: service.rows.paper, kind: 'one_time', upload_id };
    const { body } = await connect(person, service, [decision]);
    await forgetEvents(platform());
    platform().clock.advance(90 * DAY - 1);
    await sweepAll(platform().context.domain.sweeps, platform().context);
    assert.equal((await fileOf(body.connection_id, service.rows.paper, await newToken())).status, 200);
    platform().clock.advance(1);
    await sweepAll(platform().context.domain.sweeps, platform().context);
    const fresh = await newToken();
    const answer = await fileOf(body.connection_id, service.rows.paper, fresh);
    const expired_at = new Date(platform().clock.now()).toISOString();
    assert.deepEqual(
      [answer.status, answer.body.error_key, answer.body.expired_at, digestOf(answer)],
      [410, 'company_data.file_expired', expired_at, sha256(value)],
    );
    proves('error:company_data.file_expired', 'limit:onceFileMs');
    const read = await platform().must('GET', `/api/company-data/connections/${body.connection_id}`, {
      token: fresh,
    });
    const { content_sha256, expired, expired_at: at } = read.values.paper;
    assert.deepEqual([content_sha256, expired, at], [sha256(value), true, expired_at]);
    const { changes } = await platform().must('GET', '/api/company-data/changes', { token: fresh });
    assert.deepEqual(
      changes.map((change: Record<string, unknown>) => [change.event, change.slug, change.content_sha256]),
      [['field_deleted', 'paper', sha256(value)]],
    );
    assert.equal(await refs(sha256(value)), undefined);
  });

  test('an unused upload is gone after an hour', async () => {
    const { service, person } = await setUp();
    const { upload_id, value } = await upload(person, photo(PDF));
    platform().clock.advance(60 * 60 * 1000);
    const decision = { request_field_id: service.rows.photo, kind: 'one_time', upload_id };
    const login = await platform().must('POST', '/api/person/login', {
      body: { email: person.email, login_secret: person.loginSecret },
    });
    const late = await connect({ ...person, token: login.access_token }, service, [decision]);
    assert.deepEqual([late.status, late.body.error_key], [404, 'contact_data.upload_not_found']);
    await sweepAll(platform().context.domain.sweeps, platform().context);
    assert.equal(await refs(sha256(value)), undefined);
    proves('limit:fileUploadMs');
  });

  test('a row that turns one-time keeps its file for 90 days from then', async () => {
    const { service, person } = await setUp();
    const { upload_id, value } = await upload(person, photo(PDF));
    const id = await field(person, 'photo', true);
    await put(person, id, { value: await sealed(photo(PDF)) });
    const decision = { request_field_id: service.rows.photo, kind: 'live', field_id: id, upload_id };
    assert.equal((await connect(person, service, [decision])).status, 201);
    await publish(
      platform(),
      service.company,
      service.id,
      rows.map((row) => (row.slug === 'photo' ? { ...row, one_time: true } : row)),
    );
    await platform().context.jobWorker.run();
    assert.equal(await refs(sha256(value)), 1);
  });
});

test('a file of 15 MiB goes to an object store and comes back; without the store it is refused for a time', async (t) => {
  const s3 = await startS3();
  const { bucketUrl, accessKeyId, secretAccessKey } = s3.options;
  const platform = await startPlatform('sqlite', {
    SYMBOLON_BLOBS: 's3://bucket/files',
    AWS_ENDPOINT_URL_S3: new URL(bucketUrl).origin,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  });
  t.after(async () => {
    await platform.stop();
    s3.stop();
  });
  const person = await registerPerson(platform);
  const { id } = await platform.must('POST', '/api/person/fields', {
    token: person.token,
    body: { type: 'document', label: 'File', slug: 'file', private: true },
  });
  const path = `/api/person/fields/${id}/file`;
  const value = await sealed(JSON.stringify({ file: uri('application/pdf', randomBytes(15 * 2 ** 20)) }));
  const saved = await platform.call('PUT', path, { token: person.token, body: { value } });
  proves('route:PUT /api/person/fields/{id}/file');
  assert.equal(saved.status, 200, saved.text.slice(0, 300));
  assert.deepEqual(
    [...s3.objects.values()].map((bytes) => bytes.length),
    [value.length],
  );
  const read = await platform.call('GET', path, { token: person.token });
  proves('route:GET /api/person/fields/{id}/file');
  assert.ok(read.body.value === value);
  s3.away = true;
  const refused = await platform.call('GET', path, { token: person.token });
  assert.deepEqual([refused.status, refused.body.error_key], [503, 'photos.unavailable']);
  assert.notEqual(refused.headers.get('retry-after'), null);
  s3.away = false;
});

test('so many uploads of a person wait', async () => {
  await using platform = await startPlatform('sqlite');
  const person = await registerPerson(platform);
  const value = await sealed(photo(PDF));
  const upload = () => platform.call('POST', '/api/person/files', { token: person.token, body: { value } });
  for (let waiting = 0; waiting < limits.fileUploadsMost; waiting++)
    assert.equal((await upload()).status, 201);
  const refused = await upload();
  assert.deepEqual([refused.status, refused.body.error_key], [409, 'contact_data.uploads_limit']);
  assert.ok(refused.body.retry_after > 0 && refused.body.retry_after <= limits.fileUploadMs / 1000);
  proves('error:contact_data.uploads_limit', 'limit:fileUploadsMost');
});
