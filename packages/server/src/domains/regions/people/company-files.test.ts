import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createService, dataToken, registerCompany, sealed } from '@symbolon/testkit/actors/actors';
import { createCustomer } from '@symbolon/testkit/actors/customers';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { withRegions } from '@symbolon/testkit/platform/regions';

const PATH = '/api/company-connections';
const HOUR = 60 * 60 * 1000;
const ROWS = [
  { slug: 'licence', label: 'Licence', type: 'photo', audience: 'company', mandatory_provide: true },
] as const;
const photo = () => JSON.stringify({ full: `data:image/png;base64,${randomBytes(3000).toString('base64')}` });

withRegions('files of companies for services of other regions', ['eu', 'us'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');

  test('the region of the service fetches an upload of a company, and its home need not keep it', async () => {
    const service = await createService(us(), await registerCompany(us(), 'Provider'), ROWS);
    const customer = await createCustomer(eu());
    const stranger = await createCustomer(eu(), 'Stranger');
    const { token } = customer;
    const upload = async (plaintext: string) => {
      const value = await sealed(plaintext);
      const { upload_id } = await eu().must('POST', `${PATH}/uploads`, { token, body: { value } });
      return { upload_id, value };
    };
    const waiting = () =>
      eu()
        .context.database.reader.selectFrom('file_uploads')
        .select('id')
        .where('customer_id', '=', customer.company.id)
        .execute();
    await regions().settle();
    const plaintext = photo();
    const first = await upload(plaintext);
    const decision = { request_field_id: service.rows.licence, kind: 'typed', upload_id: first.upload_id };
    const body = {
      company_code: service.company.code,
      service_code: service.code,
      decisions: [decision],
    };
    const foreign = await eu().call('POST', PATH, { token: stranger.token, body });
    assert.deepEqual([foreign.status, foreign.body.error_key], [404, 'contact_data.upload_not_found']);
    assert.equal((await waiting()).length, 1);
    const connection = await eu().must('POST', PATH, { token, body });
    const [link] = connection.services;
    const data = await dataToken(us(), service);
    const read = async () => {
      const path = `/api/company-data/connections/${link.service_link_id}/slots/${service.rows.licence}/file`;
      return us().must('GET', path, { token: data });
    };
    assert.equal(await service.open((await read()).value), plaintext);

    const next = photo();
    const second = await upload(next);
    await eu().must('PUT', `${PATH}/${connection.id}/services/${link.service_link_id}/mappings`, {
      token,
      body: { decisions: [{ ...decision, upload_id: second.upload_id }] },
    });
    assert.equal(await service.open((await read()).value), next);
    proves('route:POST /api/company-connections/uploads');
    await regions().settle();
    assert.deepEqual(await waiting(), [], 'used up');
    await eu().context.blobs.sweep();
    regions().clock.advance(HOUR);
    await eu().context.blobs.sweep();
    const kept = await eu()
      .context.database.reader.selectFrom('blobs')
      .select('hash')
      .where(
        'hash',
        'in',
        [first, second].map(({ value }) => hash('sha256', value, 'hex')),
      )
      .execute();
    assert.deepEqual(kept, []);
  });
});
