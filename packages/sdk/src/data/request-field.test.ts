import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeService } from '../testing/fake-service.ts';

const ROW = {
  id: 'row-1',
  slug: 'mail',
  label: 'E-mail',
  type: 'email',
  one_time: true,
  mandatory_provide: false,
  mandatory_connected: false,
  verified: true,
  verified_max_age_days: 30,
};

test('a request field says what follows from its row, and has the row beside', async () => {
  const snapshot = { key: 'street', outputs: [{ key: 'name', type: 'text', label: 'Name' }] };
  const rows = [
    ROW,
    { ...ROW, mandatory_provide: true },
    { ...ROW, mandatory_connected: true, one_time: false },
    { ...ROW, type: 'plugin', plugin: { plugin_name: 'Streets', field_type: 'street', snapshot } },
  ];
  await using service = await fakeService(
    {},
    { 'GET /api/company-data/request-fields': () => ({ body: { request_fields: rows } }) },
  );
  const fields = await service.client.requestFields();
  assert.deepEqual(fields[0], {
    id: 'row-1',
    slug: 'mail',
    label: 'E-mail',
    type: 'email',
    oneTime: true,
    mandatory: false,
    audience: undefined,
    verified: true,
    verifiedMaxAgeDays: 30,
    plugin: undefined,
    row: ROW,
  });
  assert.deepEqual(
    fields.map(({ mandatory, oneTime }) => [mandatory, oneTime]),
    [
      [false, true],
      [true, true],
      [true, false],
      [false, true],
    ],
  );
  assert.deepEqual(fields[3]?.plugin, { pluginName: 'Streets', fieldType: 'street', snapshot });
});
