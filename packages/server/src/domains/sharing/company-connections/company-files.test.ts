import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { limits, type RequestFieldInput } from '@symbolon/protocol';
import { createService, dataToken, publish, registerCompany, sealed } from '@symbolon/testkit/actors/actors';
import { createCustomer, type TestCustomer } from '@symbolon/testkit/actors/customers';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { dependentsOf } from '../../../db/table-registry.ts';
import { sweepAll } from '../../../roles/sweep.ts';

const PATH = '/api/company-connections';
const UPLOADS = `${PATH}/uploads`;
const HOUR = 60 * 60 * 1000;
const sha256 = (text: string) => hash('sha256', text, 'hex');
const photo = () => JSON.stringify({ full: `data:image/png;base64,${randomBytes(5000).toString('base64')}` });
const ROWS: readonly RequestFieldInput[] = [
  { slug: 'licence', label: 'Licence', type: 'photo', audience: 'company', mandatory_provide: true },
  { slug: 'once', label: 'Statement', type: 'photo', one_time: true },
  { slug: 'note', label: 'Note', type: 'text' },
];

onEachEngine('files as answers of companies', (platform) => {
  const upload = async ({ token }: TestCustomer, plaintext = photo()) => {
    const value = await sealed(plaintext);
    const answer = await platform().must('POST', UPLOADS, { token, body: { value } });
    return { ...answer, value, plaintext } as Record<
      'upload_id' | 'sha256' | 'bytes' | 'expires_at' | 'value' | 'plaintext',
      string
    >;
  };
  const setUp = async () => {
    const service = await createService(platform(), await registerCompany(platform(), 'Provider'), ROWS);
    const customer = await createCustomer(platform());
    const codes = { company_code: service.company.code, service_code: service.code };
    const row = (slug: string) => service.rows[slug];
    return { service, customer, codes, row, token: await dataToken(platform(), service) };
  };
  const fileOf = (linkId: string, rowId: string | undefined, token: string) =>
    platform().call('GET', `/api/company-data/connections/${linkId}/slots/${rowId}/file`, { token });

  test('an upload that a decision names is the answer, which the service opens', async () => {
    const { service, customer, codes, row, token } = await setUp();
    const first = await upload(customer);
    proves('route:POST /api/company-connections/uploads');
    assert.deepEqual(
      [first.sha256, first.bytes, first.expires_at],
      [
        sha256(first.value),
        first.value.length,
        new Date(platform().clock.now() + limits.fileUploadMs).toISOString(),
      ],
    );
    const once = await upload(customer);
    const connection = await platform().must('POST', PATH, {
      token: customer.token,
      body: {
        ...codes,
        decisions: [
          { request_field_id: row('licence'), kind: 'typed', upload_id: first.upload_id },
          { request_field_id: row('once'), kind: 'typed', upload_id: once.upload_id },
        ],
      },
    });
    const [link] = connection.services;
    assert.deepEqual(link.mappings.map(({ slug, kind }: Record<string, string>) => [slug, kind]).sort(), [
      ['licence', 'typed'],
      ['once', 'one_time'],
    ]);
    for (const [slug, { value, plaintext }] of [
      ['licence', first],
      ['once', once],
    ] as const) {
      const answer = await fileOf(link.service_link_id, row(slug), token);
      assert.deepEqual([answer.status, answer.body.encrypted], [200, true], slug);
      assert.equal(answer.headers.get('x-platform-content-sha256'), sha256(value));
      assert.equal(await service.open(answer.body.value), plaintext);
    }
    const read = await platform().must('GET', `/api/company-data/connections/${link.service_link_id}`, {
      token,
    });
    assert.deepEqual([read.values.licence.live, read.values.once.live], [true, false]);
    assert.match(read.values.licence.value_url, /^\/api\/company-data\//);

    // Mappings and consents name uploads in the same way; what was replaced is gone.
    await forgetEvents(platform());
    const next = await upload(customer);
    const mappings = `${PATH}/${connection.id}/services/${link.service_link_id}/mappings`;
    await platform().must('PUT', mappings, {
      token: customer.token,
      body: { decisions: [{ request_field_id: row('licence'), kind: 'typed', upload_id: next.upload_id }] },
    });
    const after = await fileOf(link.service_link_id, row('licence'), token);
    assert.equal(await service.open(after.body.value), next.plaintext);
    assert.deepEqual(await eventNames(platform(), service.id), ['field_updated licence']);
    const rows = [...ROWS, { slug: 'proof', label: 'Proof', type: 'photo' }];
    const { proof } = await publish(platform(), service.company, service.id, rows);
    const { consents } = await platform().must('GET', `${PATH}/consents`, { token: customer.token });
    const last = await upload(customer);
    await platform().must('POST', `${PATH}/consents/${consents[0].id}/provide`, {
      token: customer.token,
      body: { decisions: [{ request_field_id: proof, kind: 'typed', upload_id: last.upload_id }] },
    });
    const provided = await fileOf(link.service_link_id, proof, token);
    assert.equal(await service.open(provided.body.value), last.plaintext);
    await platform().context.blobs.sweep();
    platform().clock.advance(HOUR);
    await platform().context.blobs.sweep();
    const blobs = await platform()
      .context.database.reader.selectFrom('blobs')
      .select('hash')
      .where('hash', 'in', [sha256(first.value), sha256(next.value)])
      .execute();
    assert.deepEqual(blobs, [{ hash: sha256(next.value) }]);
  });

  test('an upload is named once, by the company that made it, within an hour, for a row of a file type', async () => {
    const { customer, codes, row } = await setUp();
    const stranger = await createCustomer(platform(), 'Stranger');
    const own = await upload(customer);
    const connect = (decisions: readonly object[], by = customer) =>
      ['POST', PATH, { token: by.token, body: { ...codes, decisions } }] as const;
    const decision = { request_field_id: row('licence'), kind: 'typed', upload_id: own.upload_id };
    proves('error:contact_data.upload_not_found', 'error:contact_data.files_unsupported');
    const missing = [404, 'contact_data.upload_not_found'] as const;
    await refused(platform(), missing, ...connect([decision], stranger));
    await refused(
      platform(),
      [400, 'contact_data.files_unsupported'],
      ...connect([{ ...decision, value: own.value }]),
    );
    const note = { request_field_id: row('note'), kind: 'typed', upload_id: own.upload_id };
    await refused(platform(), [400, 'contact_data.encryption_required'], ...connect([decision, note]));
    const empty = { request_field_id: row('licence'), kind: 'typed' };
    await refused(platform(), [400, 'contact_data.encryption_required'], ...connect([empty]));
    const plain = { token: customer.token, body: { value: 'no wrapper' } };
    await refused(platform(), [400, 'contact_data.wrapper_invalid'], 'POST', UPLOADS, plain);
    // Nothing of this used the upload up.
    const [method, path, options] = connect([decision]);
    await platform().must(method, path, options);
    const again = await createService(platform(), await registerCompany(platform()), ROWS);
    await refused(platform(), missing, 'POST', PATH, {
      token: customer.token,
      body: {
        company_code: again.company.code,
        service_code: again.code,
        decisions: [{ ...decision, request_field_id: again.rows.licence }],
      },
    });
    const late = await upload(stranger);
    platform().clock.advance(HOUR);
    // The token of the client has expired too; the session of its company goes on.
    const portal = { ...stranger, token: stranger.company.token };
    await refused(platform(), missing, ...connect([{ ...decision, upload_id: late.upload_id }], portal));
    await sweepAll(platform().context.domain.sweeps, platform().context);
    const left = await platform()
      .context.database.reader.selectFrom('file_uploads')
      .select('id')
      .where('customer_id', 'in', [customer.company.id, stranger.company.id])
      .execute();
    assert.deepEqual(left, []);
  });

  test('uploads of a company that wait are bounded in number and in bytes, and go with the company', async () => {
    const { customer } = await setUp();
    const insert = (of: TestCustomer, place: number, bytes: number) =>
      platform().context.database.write(async (writer) => {
        const row = {
          id: `waiting-${of.company.id}-${place}`,
          customer_id: of.company.id,
          value: '{}',
          bytes,
        };
        await writer
          .insertInto('file_uploads')
          .values({ ...row, expires_at: platform().clock.now() + HOUR })
          .execute();
      });
    const body = { value: await sealed(photo()) };
    await insert(customer, 0, platform().context.config.personFilesBytes - 1000);
    proves('error:account.storage_full', 'error:contact_data.uploads_limit', 'limit:fileUploadsMost');
    await refused(platform(), [409, 'account.storage_full'], 'POST', UPLOADS, {
      token: customer.token,
      body,
    });
    const other = await createCustomer(platform(), 'Other');
    for (let place = 0; place < limits.fileUploadsMost; place++) await insert(other, place, 1);
    await refused(platform(), [409, 'contact_data.uploads_limit'], 'POST', UPLOADS, {
      token: other.token,
      body,
    });
    const owned = dependentsOf(platform().context.tables, 'companies').map(({ table }) => table.name);
    assert.ok(owned.includes('file_uploads'));
  });
});
