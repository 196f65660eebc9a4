import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, type PluginRequest } from '@symbolon/protocol';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { places } from './places.ts';

const members = { picks: {}, values: {}, inputs: {}, reply_key: 'x', field_type: 'place' };
const search = async (query: string) => {
  const reply = await places.answer({ ...members, op: 'options', block: 'place', query });
  assert.ok('options' in reply);
  return reply;
};
const labels = async (query: string) => (await search(query)).options.map(({ label }) => label);
const outputs = (request: Partial<PluginRequest>) =>
  places.answer({ ...members, op: 'outputs', ...request } as PluginRequest);

test('finds places by the beginning of a name, larger ones first', async () => {
  assert.equal((await labels('lond'))[0], 'London, England, United Kingdom');
  const few = await search('tok');
  assert.equal(few.options[0]?.label, 'Tokyo, Tokyo, Japan');
  const many = await search('s');
  assert.deepEqual([many.options.length, many.more], [limits.pluginOptionsMost, true]);
  const whole = await search('gle');
  assert.deepEqual([whole.options.length, whole.more], [limits.pluginOptionsMost, false]);
  assert.deepEqual(await search(''), { options: [], more: false });
  assert.deepEqual(await search('xqzw'), { options: [], more: false });
  proves('limit:pluginOptionsMost');
});

test('an exact name comes before longer names of larger places', async () => {
  const [first, second] = await labels('york');
  assert.equal(first, 'York, England, United Kingdom');
  assert.match(String(second), /^York[ ,]/);
  assert.equal((await labels('roma'))[0], 'Roma (Rome), Lazio, Italy');
});

test('accents, case and other languages do not matter', async () => {
  for (const query of ['MÜNCHEN', 'munchen', ' München '])
    assert.equal((await labels(query))[0], 'München (Munich), Bavaria, Germany');
  assert.equal((await labels('sao paulo'))[0], 'São Paulo, São Paulo, Brazil');
  assert.equal((await labels('lodz'))[0], 'Łódź, Łódź Voivodeship, Poland');
});

test('words after the name choose the region or country', async () => {
  assert.equal((await labels('paris, tex'))[0], 'Paris, Texas, United States');
  assert.equal((await labels('paris texas'))[0], 'Paris, Texas, United States');
  assert.equal((await labels('paris fr'))[0], 'Paris, Île-de-France, France');
  assert.deepEqual(await labels('paris, zz'), []);
});

test('a place says where it is, and an address is written out', async () => {
  const { options } = await search('zermatt');
  const place = String(options[0]?.id);
  assert.deepEqual(await outputs({ picks: { place } }), {
    outputs: {
      name: 'Zermatt',
      region: 'Valais',
      country: 'Switzerland',
      country_code: 'CH',
      latitude: 46.02,
      longitude: 7.7486,
    },
  });
  const values = { street: ' Bahnhofstrasse 1 ', postcode: 3920 };
  assert.deepEqual(await outputs({ field_type: 'address', picks: { place }, values }), {
    outputs: {
      address: 'Bahnhofstrasse 1, 3920 Zermatt, Switzerland',
      city: 'Zermatt',
      region: 'Valais',
      country: 'Switzerland',
      country_code: 'CH',
    },
  });
});

test('a place that is not there is said to be none', async () => {
  for (const picks of [{}, { place: '0' }, { place: true }])
    assert.deepEqual(await outputs({ picks }), { picks_invalid: true });
});

test('of a long text the beginning is read', async () => {
  assert.equal((await labels(`paris ${'fr '.repeat(150)}`))[0], 'Paris, Île-de-France, France');
});
