import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  openSealed,
  registerPerson,
  sealed,
  type TestCompany,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { connectedPerson, openShopWithCustomer } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { drainAll } from '@symbolon/testkit/platform/drains';
import { Listener } from '@symbolon/testkit/platform/event-stream';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const NOBODY = '019bd0f2-8c00-7000-8000-000000000000';
const DOCUMENTS = '/api/company-data/documents';
const PDF = Buffer.from('%PDF-1.7\nsome bytes');
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const dataUri = (bytes: Buffer, type = 'application/pdf') =>
  `data:${type};base64,${bytes.toString('base64')}`;

const MEMBERS = [
  'id',
  'kind',
  'name',
  'description',
  'status',
  'payload_kind',
  'is_private',
  'value',
  'metadata',
  'requires_signature',
  'requires_acceptance',
  'plain_sha256',
  'sealed_at',
  'sealed_sha256',
  'seal_level',
  'signatures',
  'connection_id',
  'person_user_id',
  'share_code',
  'created_at',
  'updated_at',
];

onPlatform('documents of a service', (platform) => {
  let company: TestCompany;
  let service: TestService;
  let token: string;
  let person: TestPerson;
  let connectionId: string;
  before(async () => {
    ({ company, service, token, person, connectionId } = await openShopWithCustomer(platform()));
  });

  const basic = { kind: 'document', name: 'Terms', payload_kind: 'json' };
  const contract = { ...basic, kind: 'agreement', name: 'Lease', payload_kind: 'file' };
  const create = (body: object) => platform().call('POST', DOCUMENTS, { token, body });
  const created = async (body: object) => platform().must('POST', DOCUMENTS, { token, body });
  const forPerson = async (body: object = {}) =>
    created({ ...basic, target: { connection_id: connectionId }, value: await sealed('{"a":1}'), ...body });
  const upload = (id: string, body: object) =>
    platform().call('POST', `${DOCUMENTS}/${id}/file`, { token, body });
  const get = (path: string, by = token) => platform().call('GET', path, { token: by });
  const drain = () => drainAll(platform(), '/api/company-data/changes', token);

  test('a document for one person takes a wrapper, and gives it back as an object', async () => {
    for (const target of [
      { connection_id: connectionId },
      { person_user_id: person.id },
      { share_code: person.shareCode },
    ]) {
      const value = await sealed('{"rent":900}');
      const answer = await create({ ...basic, target, value: JSON.parse(value) });
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual(Object.keys(answer.body), MEMBERS);
      assert.equal(await openSealed(answer.body.value), '{"rent":900}');
      assert.deepEqual(
        [answer.body.connection_id, answer.body.person_user_id, answer.body.share_code],
        [connectionId, person.id, person.shareCode],
      );
      assert.deepEqual([answer.body.status, answer.body.signatures], ['active', []]);
      const read = await get(`${DOCUMENTS}/${answer.body.id}`);
      assert.deepEqual(read.body, answer.body);
    }
  });

  test('a document for all customers takes any JSON', async () => {
    const answer = await create({ ...basic, target: null, value: [1, { two: null }], description: 'all' });
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(answer.body.value, [1, { two: null }]);
    assert.deepEqual(
      [
        answer.body.connection_id,
        answer.body.person_user_id,
        answer.body.share_code,
        answer.body.description,
      ],
      [null, null, null, 'all'],
    );
  });

  test('the status follows what the customer has to do, unless the company says it', async () => {
    const statusOf = async (body: object) => (await forPerson(body)).status;
    assert.equal(await statusOf({}), 'active');
    assert.equal(await statusOf({ requires_acceptance: true }), 'offering');
    assert.equal(await statusOf({ requires_signature: true }), 'ready_to_sign');
    assert.equal(await statusOf({ requires_signature: true, requires_acceptance: true }), 'ready_to_sign');
    assert.equal(await statusOf({ status: 'ended' }), 'ended');
    assert.equal(await statusOf({ kind: 'agreement', status: 'offering' }), 'offering');
    const waiting = await create({ ...basic, value: {}, status: 'waiting' });
    assert.deepEqual([waiting.status, waiting.body.error_key], [400, 'request.invalid']);
  });

  test('what does not go together is refused, and nothing is stored', async () => {
    const target = { connection_id: connectionId };
    const { total } = (await get(DOCUMENTS)).body;
    for (const more of [
      { kind: 'agreement' },
      { kind: 'subscription' },
      { requires_signature: true },
      { requires_acceptance: true },
    ])
      assert.deepEqual(await refusalOf(create({ ...basic, value: {}, ...more })), [
        400,
        'documents.contract_requires_person',
      ]);
    proves('error:documents.contract_requires_person');
    assert.deepEqual(await refusalOf(create({ ...basic, value: {}, is_private: true })), [
      400,
      'documents.private_requires_person',
    ]);
    proves('error:documents.private_requires_person');
    assert.deepEqual(await refusalOf(create({ ...basic, target, value: { plain: true } })), [
      400,
      'contact_data.encryption_required',
    ]);
    assert.deepEqual(await refusalOf(create({ ...basic, target })), [400, 'documents.invalid_payload']);
    assert.deepEqual(await refusalOf(create({ ...basic, payload_kind: 'file', value: 'x' })), [
      400,
      'documents.invalid_payload',
    ]);
    proves('error:documents.invalid_payload');
    // With the quotes around it, as JSON.
    const most = 'x'.repeat(limits.wrapperTextMost - 2);
    assert.deepEqual(await refusalOf(create({ ...basic, value: `${most}x` })), [413, 'documents.too_large']);
    for (const unknown of [{ connection_id: NOBODY }, { person_user_id: NOBODY }, { share_code: 'NOBODY' }])
      assert.deepEqual(await refusalOf(create({ ...basic, target: unknown, value: await sealed('{}') })), [
        404,
        'company_data.connection_not_found',
      ]);
    const two = await create({ ...basic, target: { ...target, share_code: person.shareCode }, value: {} });
    assert.equal(two.status, 400);
    assert.equal((await get(DOCUMENTS)).body.total, total);
    assert.equal((await create({ ...basic, value: most })).status, 201);
  });

  test('the file of one person is sealed, and both sides get the wrapper as an object', async () => {
    const target = { connection_id: connectionId };
    const { id, value } = await created({ ...contract, target, plain_sha256: digest(PDF) });
    assert.deepEqual(value, { _pending: true });
    assert.deepEqual(await refusalOf(get(`${DOCUMENTS}/${id}/file`)), [404, 'documents.file_not_found']);
    proves('error:documents.file_not_found');
    assert.deepEqual(await refusalOf(upload(id, { file: dataUri(PDF), original_name: 'a.pdf' })), [
      400,
      'contact_data.encryption_required',
    ]);
    assert.deepEqual(await refusalOf(upload(id, { value: 'plain' })), [
      400,
      'contact_data.encryption_required',
    ]);
    assert.deepEqual(await refusalOf(upload(id, {})), [400, 'documents.invalid_payload']);
    const large = { ...(JSON.parse(await sealed('x')) as object), d: 'A'.repeat(28 * 2 ** 20) };
    assert.deepEqual(await refusalOf(upload(id, { value: JSON.stringify(large) })), [
      413,
      'documents.too_large',
    ]);
    const envelope = JSON.stringify({ file: dataUri(PDF), original_name: 'lease.pdf' });
    const first = await upload(id, { value: await sealed(envelope) });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(first.body.value, { _enc_file: 'Lease' });
    assert.equal(first.body.plain_sha256, digest(PDF), 'the first upload keeps the digest of the create');
    for (const [path, by] of [
      [`${DOCUMENTS}/${id}/file`, token],
      [`/api/person/documents/${id}/file`, person.token],
    ] as const) {
      const file = await get(path, by);
      assert.equal(file.status, 200, file.text);
      assert.equal(file.body.encrypted, true);
      proves('route:GET /api/company-data/documents/{id}/file', 'route:GET /api/person/documents/{id}/file');
      assert.equal(typeof file.body.value, 'object');
      assert.equal(await openSealed(file.body.value), envelope);
      // Structured answers are JSON whatever a client accepts.
      const xml = await platform().call('GET', path, { token: by, headers: { accept: 'application/xml' } });
      assert.deepEqual(xml.body, file.body);
    }
    const again = await upload(id, { value: await sealed(envelope) });
    proves('route:POST /api/company-data/documents/{id}/file');
    assert.equal(again.body.plain_sha256, null, 'a later one without a digest has none');
    const third = await upload(id, { value: await sealed(envelope), plain_sha256: digest(PDF) });
    assert.equal(third.body.plain_sha256, digest(PDF));
    assert.deepEqual(await refusalOf(get(`${DOCUMENTS}/${id}/sealed-file`)), [404, 'documents.not_sealed']);
    proves('error:documents.not_sealed');
  });

  test('a file for all customers is served as it is, and never as JSON or XML', async () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    for (const [name, sent, told, served] of [
      ['price list.pdf', 'application/pdf', 'application/pdf', 'application/pdf'],
      ['a.JPEG', 'application/octet-stream', 'image/jpeg', 'image/jpeg'],
      ['a.docx', docx, docx, 'application/octet-stream'],
    ] as const) {
      const { id } = await created({ ...basic, payload_kind: 'file' });
      const bytes = randomBytes(200_001);
      const answer = await upload(id, { file: dataUri(bytes, sent), original_name: name });
      assert.equal(answer.status, 200, answer.text);
      const { file, ...value } = answer.body.value;
      assert.match(file, new RegExp(`^${id}\\.`));
      assert.deepEqual(value, { original_name: name, mime_type: told, size: bytes.length });
      for (const [path, by] of [
        [`${DOCUMENTS}/${id}/file`, token],
        [`/api/person/documents/${id}/file`, person.token],
      ] as const) {
        const response = await fetch(platform().url + path, { headers: { authorization: `Bearer ${by}` } });
        assert.equal(response.headers.get('content-type'), served);
        assert.equal(response.headers.get('content-length'), String(bytes.length));
        assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
      }
    }
  });

  test('files of other types, and broken ones, are refused', async () => {
    const { id } = await created({ ...basic, payload_kind: 'file' });
    for (const [file, original_name] of [
      [dataUri(PDF, 'text/html'), 'a.html'],
      [dataUri(PDF, 'image/png'), 'a.pdf'],
      [dataUri(PDF), 'a.exe'],
      [dataUri(PDF), 'pdf'],
    ])
      assert.deepEqual(await refusalOf(upload(id, { file, original_name })), [400, 'documents.bad_mime']);
    proves('error:documents.bad_mime');
    for (const file of [
      'plain text',
      'data:application/pdf,text',
      'data:application/pdf;base64,',
      'data:application/pdf;base64,AA=A',
      'data:application/pdf;base64,A',
      `data:application/pdf;base64,${'A'.repeat(70_000)}!AAA`,
    ])
      assert.deepEqual(await refusalOf(upload(id, { file, original_name: 'a.pdf' })), [
        400,
        'documents.invalid_payload',
      ]);
    assert.deepEqual(await refusalOf(upload(id, { file: dataUri(PDF) })), [400, 'documents.invalid_payload']);
    assert.deepEqual(await refusalOf(upload(NOBODY, { file: dataUri(PDF), original_name: 'a.pdf' })), [
      404,
      'documents.not_found',
    ]);
    proves('error:documents.not_found');
    const large = dataUri(Buffer.alloc(15 * 2 ** 20 + 1));
    assert.deepEqual(await refusalOf(upload(id, { file: large, original_name: 'a.pdf' })), [
      413,
      'documents.too_large',
    ]);
    proves('error:documents.too_large');
    assert.deepEqual((await get(`${DOCUMENTS}/${id}`)).body.value, { _pending: true });
  });

  test('the list is newest first, pages, and filters by person and status', async () => {
    const other = await registerPerson(platform());
    await connect(platform(), other, service);
    const ids: string[] = [];
    for (const status of ['active', 'ended', 'ended']) {
      const target = { person_user_id: other.id };
      ids.unshift((await created({ ...basic, target, status, value: await sealed('{}') })).id);
    }
    const list = async (query: string) => {
      const { body } = await get(`${DOCUMENTS}?${query}`);
      return [body.total, body.items.map(({ id }: { id: string }) => id)];
    };
    proves('route:GET /api/company-data/documents', 'route:POST /api/company-data/documents');
    assert.deepEqual(await list(`person_user_id=${other.id}`), [3, ids]);
    assert.deepEqual(await list(`person_user_id=${other.id}&status=ended`), [2, ids.slice(0, 2)]);
    assert.deepEqual(await list(`person_user_id=${other.id}&limit=1&offset=1`), [3, ids.slice(1, 2)]);
    assert.deepEqual(await list('limit=3'), [(await get(DOCUMENTS)).body.total, ids]);
  });

  test('changes raise document_updated with the members of the document, for its person alone', async () => {
    await drain();
    const stream = await Listener.open(platform(), { token: person.token });
    const { id } = await forPerson({ kind: 'subscription', status: 'offering' });
    assert.deepEqual(await stream.heard(1), ['document']);
    const { body: changed } = await platform().call('PUT', `${DOCUMENTS}/${id}`, {
      token,
      body: { status: 'active', name: 'New', metadata: { can_be_cancelled_in_app: true } },
    });
    assert.deepEqual(await stream.heard(2), ['document', 'document']);
    stream.close();
    assert.deepEqual(
      [changed.status, changed.name, changed.metadata],
      ['active', 'New', { can_be_cancelled_in_app: true }],
    );
    await platform().must('PUT', `${DOCUMENTS}/${id}`, { token, body: { status: 'ended' } });
    assert.equal((await platform().call('DELETE', `${DOCUMENTS}/${id}`, { token })).status, 204);
    await created({ ...basic, value: 'for all' });
    proves('route:DELETE /api/company-data/documents/{id}');
    const events = await drain();
    assert.deepEqual(
      events.map(({ event, name }) => [event, name]),
      [
        ['document_created', 'Terms'],
        ['document_updated', 'New'],
        ['document_updated', 'New'],
        ['document_deleted', 'New'],
      ],
    );
    const { id: _, at, ...members } = events[0] ?? {};
    assert.equal(typeof at, 'string');
    assert.deepEqual(members, {
      event: 'document_created',
      person_user_id: person.id,
      share_code: person.shareCode,
      customer_type: 'person',
      document_id: id,
      name: 'Terms',
      kind: 'subscription',
      payload_kind: 'json',
    });
    proves('event:document_created');
    proves('event:document_updated');
    proves('event:document_deleted');
    assert.deepEqual(await refusalOf(get(`${DOCUMENTS}/${id}`)), [404, 'documents.not_found']);
    assert.deepEqual(
      await refusalOf(platform().call('PUT', `${DOCUMENTS}/${NOBODY}`, { token, body: { name: 'x' } })),
      [404, 'documents.not_found'],
    );
  });

  test('another service and another person see nothing of it', async () => {
    const { id } = await forPerson();
    const stranger = await registerPerson(platform());
    const elsewhere = await createService(platform(), company);
    const other = await dataToken(platform(), elsewhere);
    for (const [path, by] of [
      [`${DOCUMENTS}/${id}`, other],
      [`${DOCUMENTS}/${id}/file`, other],
      [`/api/person/documents/${id}`, stranger.token],
      [`/api/person/documents/${id}/file`, stranger.token],
    ] as const)
      assert.deepEqual(await refusalOf(get(path, by)), [404, 'documents.not_found'], path);
    assert.deepEqual((await get('/api/person/documents', stranger.token)).body, { documents: [] });
    assert.equal((await get(DOCUMENTS, other)).body.total, 0);
  });

  test('a person lists documents without their values, reads one, and deletes the own copy', async () => {
    const reader = await registerPerson(platform());
    await connect(platform(), reader, service);
    const { id } = await created({
      ...basic,
      target: { person_user_id: reader.id },
      value: await sealed('{"a":1}'),
    });
    const { documents } = (await get('/api/person/documents', reader.token)).body;
    const own = documents.filter((one: { broadcast: boolean }) => !one.broadcast);
    const forAll = documents.find((one: { broadcast: boolean }) => one.broadcast);
    assert.deepEqual(
      own.map((one: { id: string; service: { id: string } }) => [one.id, one.service.id]),
      [[id, service.id]],
    );
    assert.ok(!('value' in own[0]));
    const one = await get(`/api/person/documents/${id}`, reader.token);
    assert.equal(await openSealed(one.body.value), '{"a":1}');
    const drop = (which: string) =>
      platform().call('DELETE', `/api/person/documents/${which}`, { token: reader.token });
    assert.deepEqual(await refusalOf(drop(forAll.id)), [409, 'documents.for_all']);
    proves('error:documents.for_all');
    proves('route:DELETE /api/person/documents/{id}');
    assert.equal((await drop(id)).status, 204);
    assert.deepEqual(await refusalOf(drop(id)), [404, 'documents.not_found']);
    assert.equal((await get(`${DOCUMENTS}/${id}`)).status, 200, 'the company keeps it');
  });

  test('an active contract keeps its connection from ending, until it ends or is deleted', async () => {
    const { person: tenant, connectionId: id } = await connectedPerson(platform(), service);
    const target = { connection_id: id };
    const accepted = async (kind: string) => {
      const terms = { payload_kind: 'json', value: await sealed('{}'), requires_acceptance: true };
      const metadata = { can_be_cancelled_in_app: true };
      const document = await created({ ...contract, ...terms, kind, metadata, target });
      const path = `/api/person/documents/${document.id}/accept`;
      await platform().must('POST', path, { token: tenant.token });
      return document.id as string;
    };
    const ended = await accepted('agreement');
    const deleted = await accepted('subscription');
    const ends = async () => [
      await refusalOf(platform().call('DELETE', `/api/company-data/connections/${id}`, { token })),
      await refusalOf(platform().call('DELETE', `/api/person/connections/${id}`, { token: tenant.token })),
    ];
    const active = [409, 'company_connections.active_contract'];
    assert.deepEqual(await ends(), [active, active]);
    await platform().must('POST', `/api/person/documents/${ended}/cancel`, { token: tenant.token });
    assert.deepEqual(await ends(), [active, active]);
    proves('error:company_connections.active_contract');
    await platform().must('DELETE', `${DOCUMENTS}/${deleted}`, { token });
    assert.equal(
      (await platform().call('DELETE', `/api/person/connections/${id}`, { token: tenant.token })).status,
      204,
    );
    assert.equal((await get(`${DOCUMENTS}/${ended}`)).status, 200, 'the record stays with the company');
    const kept = (await get('/api/person/documents', tenant.token)).body.documents;
    assert.deepEqual(
      kept.map((document: { id: string }) => document.id),
      [ended, deleted],
      'and with the person',
    );
  });

  test('what the company made active alone, or what the person deleted, holds no customer', async () => {
    const { person: tenant, connectionId: id } = await connectedPerson(platform(), service);
    const target = { connection_id: id };
    const { id: alone } = await created({ ...contract, target, status: 'active' });
    const terms = { payload_kind: 'json', value: await sealed('{}'), requires_acceptance: true };
    const document = await created({ ...contract, ...terms, target });
    const own = `/api/person/documents/${document.id}`;
    await platform().must('POST', `${own}/accept`, { token: tenant.token });
    const end = () => platform().call('DELETE', `/api/person/connections/${id}`, { token: tenant.token });
    assert.deepEqual(await refusalOf(end()), [409, 'company_connections.active_contract']);
    await platform().must('DELETE', own, { token: tenant.token });
    assert.deepEqual(
      await refusalOf(platform().call('DELETE', `/api/company-data/connections/${id}`, { token })),
      [409, 'company_connections.active_contract'],
      'the service ends its own contracts first',
    );
    assert.equal((await end()).status, 204);
    assert.equal((await get(`${DOCUMENTS}/${alone}`)).body.status, 'active', 'the company keeps its record');
  });

  test('what a customer signed stays as it is, and with the customer when the company deletes it', async () => {
    const signer = await registerPerson(platform());
    const target = { connection_id: await connect(platform(), signer, service) };
    const { id } = await created({ ...contract, target, requires_signature: true });
    await upload(id, { value: await sealed('envelope') });
    const at = platform().clock.now();
    await platform().context.database.write(async (writer) => {
      const act = {
        company_id: company.id,
        service_id: service.id,
        document_id: id,
        id: platform().context.ids.uuid(),
        action: 'signed',
        method: 'biometric',
        content_sha256: digest(PDF),
        plain_sha256: digest(PDF),
        signer_first_name: 'Ada',
        signer_last_name: 'Lovelace',
        signer_name_verified: 0,
        note: null,
        effective_date: null,
        created_at: at,
      } as const;
      await writer.insertInto('document_acts').values(act).execute();
    });
    assert.deepEqual((await get(`${DOCUMENTS}/${id}`)).body.signatures, [
      {
        action: 'signed',
        method: 'biometric',
        content_sha256: digest(PDF),
        plain_sha256: digest(PDF),
        signer_first_name: 'Ada',
        signer_last_name: 'Lovelace',
        signer_name_verified: false,
        created_at: new Date(at).toISOString(),
      },
    ]);
    assert.deepEqual(await refusalOf(upload(id, { value: await sealed('other') })), [
      409,
      'documents.contract_immutable',
    ]);
    proves('error:documents.contract_immutable');
    await platform().must('DELETE', `${DOCUMENTS}/${id}`, { token });
    assert.deepEqual(await refusalOf(get(`${DOCUMENTS}/${id}`)), [404, 'documents.not_found']);
    const kept = await get(`/api/person/documents/${id}/file`, signer.token);
    assert.equal(await openSealed(kept.body.value), 'envelope');
    const dropped = await platform().call('DELETE', `/api/person/documents/${id}`, { token: signer.token });
    assert.equal(dropped.status, 204);
    const { reader } = platform().context.database;
    assert.deepEqual(await reader.selectFrom('documents').select('id').where('id', '=', id).execute(), []);
  });

  test('the blobs of deleted documents go', async () => {
    const { id } = await created({ ...basic, payload_kind: 'file' });
    const bytes = randomBytes(300);
    await upload(id, { file: dataUri(bytes), original_name: 'a.pdf' });
    const { blobs, database } = platform().context;
    const isThere = async () => {
      await blobs.sweep();
      const rows = await database.reader
        .selectFrom('blobs')
        .select('refs')
        .where('hash', '=', digest(bytes))
        .execute();
      return rows.length === 1;
    };
    platform().clock.advance(20 * 60_000);
    assert.equal(await isThere(), true);
    await platform().must('DELETE', `${DOCUMENTS}/${id}`, { token });
    assert.equal(await isThere(), false);
  });

  test('there are bounds on how many there are, and on what describes them', async () => {
    const full = await registerPerson(platform());
    const target = { connection_id: await connect(platform(), full, service) };
    const { database } = platform().context;
    const { id } = await created({ ...basic, target, value: await sealed('{}') });
    const row = await database.reader
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const again = async () => create({ ...basic, target, value: await sealed('{}') });
    const payload = JSON.stringify('x'.repeat(limits.documentsBytesMost));
    await database.write((writer) =>
      writer.updateTable('documents').set({ payload }).where('id', '=', id).execute(),
    );
    assert.deepEqual(await refusalOf(again()), [409, 'documents.limit_reached']);
    proves('limit:documentsBytesMost');
    await database.write(async (writer) => {
      await writer.updateTable('documents').set({ payload: '{}' }).where('id', '=', id).execute();
      for (const [connection_id, most] of [
        [row.connection_id, limits.documentsOfConnectionMost - 1],
        [null, limits.documentsForAllMost],
      ] as const)
        for (let count = 0; count < most; count++)
          await writer
            .insertInto('documents')
            .values({ ...row, connection_id, payload: '{}', id: platform().context.ids.uuid() })
            .execute();
    });
    assert.deepEqual(await refusalOf(again()), [409, 'documents.limit_reached']);
    assert.deepEqual(await refusalOf(create({ ...basic, value: {} })), [409, 'documents.limit_reached']);
    proves('error:documents.limit_reached');
    proves('limit:documentsOfConnectionMost');
    proves('limit:documentsForAllMost');
    await database.write((writer) =>
      writer.deleteFrom('documents').where('customer_id', '=', full.id).execute(),
    );
    const described = (more: object) => refusalOf(create({ ...basic, value: {}, ...more }));
    const description = 'x'.repeat(limits.documentDescriptionMost + 1);
    assert.deepEqual(await described({ description }), [400, 'request.invalid']);
    proves('limit:documentDescriptionMost');
    const metadata = { a: 'x'.repeat(limits.documentMetadataBytes) };
    assert.deepEqual(await described({ metadata }), [400, 'documents.invalid_payload']);
    proves('limit:documentMetadataBytes');
  });

  test('a company that is a customer has documents in its links, files, and events on its feed', async () => {
    const customer = await createCustomer(platform());
    const { id: group, linkId } = await connectCompany(platform(), customer, service);
    const by = customer.token;
    const changes = async () => {
      const { body } = await get('/api/customer/changes', by);
      return body.changes.filter(({ event }: { event: string }) => event.startsWith('document'));
    };
    await changes();
    const target = { person_user_id: customer.company.id };
    const { id } = await created({ ...contract, target });
    const one = await created({ ...basic, target, value: await sealed('{}') });
    await upload(id, { value: await sealed('envelope') });
    const { id: shared } = await created({ ...basic, payload_kind: 'file' });
    await upload(shared, { file: dataUri(PDF), original_name: 'terms.pdf' });
    const view = await platform().must('GET', `/api/company-connections/${group}`, { token: by });
    const { documents } = view.services[0];
    const own = documents.filter((document: { broadcast: boolean }) => !document.broadcast);
    assert.deepEqual(
      own.map((document: { id: string; connection_id: string }) => [document.id, document.connection_id]),
      [
        [id, linkId],
        [one.id, linkId],
      ],
    );
    assert.ok(documents.some((document: { id: string }) => document.id === shared));
    assert.deepEqual(view.documents, []);
    const path = (document: string) => `/api/company-connections/${group}/documents/${document}/file`;
    const file = await get(path(id), by);
    assert.equal(await openSealed(file.body.value), 'envelope');
    assert.deepEqual((await get(path(shared), by)).body, {
      original_name: 'terms.pdf',
      mime_type: 'application/pdf',
      size: PDF.length,
      file: dataUri(PDF),
    });
    proves('route:GET /api/company-connections/{id}/documents/{documentId}/file');
    const xml = await platform().call('GET', path(id), { token: by, headers: { accept: 'application/xml' } });
    assert.match(xml.text, /<encrypted>true<\/encrypted><value><_enc>1<\/_enc><k>/);
    assert.deepEqual(await refusalOf(get(path(NOBODY), by)), [404, 'documents.not_found']);
    const told = await changes();
    assert.deepEqual(
      told.map((change: Record<string, unknown>) => [
        change.event,
        change.document_id,
        change.service_link_id,
      ]),
      [
        ['document_created', id, linkId],
        ['document_created', one.id, linkId],
        ['document_updated', id, linkId],
      ],
    );
    const end = () => platform().call('DELETE', `/api/company-connections/${group}`, { token: by });
    proves('route:DELETE /api/company-connections/{id}');
    assert.equal((await end()).status, 204);
  });
});
