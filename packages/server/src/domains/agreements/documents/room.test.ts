import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { fileText } from '../../../core/stored-file.ts';
import type { DocumentRow } from './tables.ts';

const DOCUMENTS = '/api/company-data/documents';
/** What the list says of one document beside what its company wrote. */
const FRAME = 2000;

onEachEngine('a company that issues very much', (platform) => {
  let person: TestPerson;
  let token: string;
  let target: { connection_id: string };
  const issuer = async (customer: TestPerson) => {
    const service = await createService(platform(), await registerCompany(platform()));
    const connection_id = await connect(platform(), customer, service);
    return { token: await dataToken(platform(), service), target: { connection_id } };
  };
  const issue = async (more: object = {}, as: { token: string; target: object } = { token, target }) => {
    const body = { kind: 'document', name: 'Notice', payload_kind: 'json', target: as.target, ...more };
    return platform().call('POST', DOCUMENTS, {
      token: as.token,
      body: { value: await sealed('{}'), ...body },
    });
  };
  /** Issues as many more as one call did. */
  const repeat = async (id: string, count: number, change: Partial<DocumentRow>) => {
    const { database, ids } = platform().context;
    const row = await database.reader
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, () => ({ ...row, ...change, id: ids.uuid() }));
    for (let at = 0; at < count; at += 20)
      await database.write((writer) =>
        writer
          .insertInto('documents')
          .values(rows.slice(at, at + 20))
          .execute(),
      );
  };
  const heavy = { metadata: JSON.stringify({ text: 'x'.repeat(limits.documentMetadataBytes - 20) }) };
  const filling = Math.ceil(limits.documentsListBytes / heavy.metadata.length) + 10;
  before(async () => {
    person = await registerPerson(platform());
    ({ token, target } = await issuer(person));
  });

  test('metadata and descriptions count as what its documents take', async () => {
    const { body } = await issue();
    const path = `${DOCUMENTS}/${body.id}`;
    const most = Math.floor(limits.documentsBytesMost / heavy.metadata.length);
    await repeat(body.id, most, heavy);
    const metadata = JSON.parse(heavy.metadata) as object;
    for (const answer of [
      await issue({ metadata }),
      await issue({ description: 'ä'.repeat(limits.documentDescriptionMost), metadata }),
      await platform().call('PUT', path, { token, body: { metadata } }),
    ])
      assert.deepEqual([answer.status, answer.body.error_key], [409, 'documents.limit_reached']);
    proves('route:GET /api/company-data/documents/{id}', 'route:PUT /api/company-data/documents/{id}');
    assert.deepEqual((await platform().must('GET', path, { token })).metadata, {});
    const shorter = await platform().call('PUT', path, { token, body: { name: 'Other', metadata: {} } });
    assert.equal(shorter.status, 200, shorter.text);
  });

  test('the copies of its files have a bound together', async () => {
    const as = await issuer(person);
    const { body } = await issue({ payload_kind: 'file', value: undefined }, as);
    const upload = async () =>
      platform().call('POST', `${DOCUMENTS}/${body.id}/file`, {
        token: as.token,
        body: { value: await sealed('a file') },
      });
    assert.equal((await upload()).status, 200);
    const other = await issue({ payload_kind: 'file', value: undefined }, as);
    const { database, ids } = platform().context;
    const { company_id, service_id } = await database.reader
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    const { hash } = await database.reader.selectFrom('blobs').select('hash').executeTakeFirstOrThrow();
    await database.write((writer) =>
      writer
        .insertInto('document_files')
        .values({
          company_id,
          service_id,
          document_id: other.body.id,
          party: 'customer',
          value: fileText({ id: ids.uuid(), hash, bytes: limits.documentFilesBytesMost, form: 'sealed' }),
          original_name: null,
          created_at: platform().clock.now(),
        })
        .execute(),
    );
    const refused = await upload();
    assert.deepEqual([refused.status, refused.body.error_key], [409, 'documents.limit_reached']);
    proves('limit:documentFilesBytesMost');
    await platform().must('DELETE', `${DOCUMENTS}/${other.body.id}`, { token: as.token });
    assert.equal((await upload()).status, 200);
  });

  test('a list of a person has a bound, and what one service issues leaves out nothing of others', async () => {
    const reader = await registerPerson(platform());
    const { body } = await issue({}, await issuer(reader));
    await repeat(body.id, filling, { ...heavy, payload: JSON.stringify('x'.repeat(60_000)) });
    const quiet = await issuer(reader);
    const kept = [];
    for (let count = 0; count < 3; count++)
      kept.push((await issue({ metadata: { count } }, quiet)).body.id as string);
    await repeat(body.id, 1, heavy);
    const list = await platform().call('GET', '/api/person/documents', { token: reader.token });
    const listed = (list.body.documents as { id: string }[]).map(({ id }) => id);
    proves('route:GET /api/person/documents');
    assert.deepEqual(
      kept.filter((id) => !listed.includes(id)),
      [],
    );
    assert.ok(listed.length < filling, `${listed.length} documents`);
    assert.ok(list.text.length < limits.documentsListBytes + listed.length * FRAME, `${list.text.length}`);
    proves('limit:documentsListBytes');
  });

  test('so has that of a company that is a customer, which shows what they hold', async () => {
    const service = await createService(platform(), await registerCompany(platform()));
    const customer = await createCustomer(platform());
    const { id: group } = await connectCompany(platform(), customer, service);
    const as = {
      token: await dataToken(platform(), service),
      target: { person_user_id: customer.company.id },
    };
    const { body } = await issue({}, as);
    await repeat(body.id, 150, { payload: JSON.stringify('x'.repeat(65_000)) });
    for (const path of ['', `/${group}`]) {
      const { status, text } = await platform().call('GET', `/api/company-connections${path}`, {
        token: customer.token,
      });
      assert.equal(status, 200);
      assert.ok(text.length < limits.documentsListBytes + 150 * FRAME, `${text.length}`);
    }
  });
});
