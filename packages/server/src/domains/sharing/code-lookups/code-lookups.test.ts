import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  connect,
  createAccountClient,
  createService,
  registerCompany,
  registerPerson,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform(
  'look-ups of unknown codes',
  (platform) => {
    let provider: TestCompany;
    let shop: TestService;
    before(async () => {
      provider = await registerCompany(platform());
      shop = await createService(platform(), provider);
    });
    const get = async (token: string, path: string) => (await platform().call('GET', path, { token })).status;
    const unknown = (token: string, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => get(token, `/api/keys/NO${index}`)));

    test('above thirty an hour a company finds no code any more, but for those it found before', async () => {
      const { company, service, token: data } = await openShop(platform());
      const account = await createAccountClient(platform(), company, ['customer_connections']);
      const [seen, met, other] = [
        await registerPerson(platform()),
        await registerPerson(platform()),
        await registerPerson(platform()),
      ];
      await connect(platform(), met, service);
      assert.equal(await get(data, `/api/keys/${seen.shareCode}`), 200);
      // Over all clients, logins and routes.
      for (const [index, path] of [
        '/api/keys/NOBODY',
        '/api/keys/NOBODY/SHOP',
        `/api/keys/${provider.code}/NOTHING`,
        '/api/company-connections/lookup/NOBODY/SHOP',
      ].entries()) {
        const tokens = index < 3 ? [data, account.token, company.token] : [account.token, company.token];
        for (const token of tokens) assert.equal(await get(token, path), 404, path);
      }
      const body = { company_code: 'NOBODY', service_code: 'SHOP', decisions: [] };
      const connecting = { token: account.token, body };
      assert.equal((await platform().call('POST', '/api/company-connections', connecting)).status, 404);
      await unknown(data, 40);
      for (const token of [data, account.token, company.token]) {
        const refused = await platform().call('GET', `/api/keys/${other.shareCode}`, { token });
        assert.deepEqual([refused.status, refused.body.error_key], [404, 'keys.not_found']);
        assert.equal(await get(token, `/api/keys/${seen.shareCode}`), 200, 'was found before');
        assert.equal(await get(token, `/api/keys/${met.shareCode}`), 200, 'is connected');
        assert.equal(await get(token, `/api/keys/${provider.code}/${shop.code}`), 404);
      }
      const lookup = `/api/company-connections/lookup/${provider.code}/${shop.code}`;
      assert.equal(await get(account.token, lookup), 404);
      proves('limit:unknown-codes');
      const elsewhere = await registerCompany(platform());
      assert.equal(await get(elsewhere.token, `/api/keys/${other.shareCode}`), 200);
    });

    test('a person has a limit too', async () => {
      const person = await registerPerson(platform());
      await unknown(person.token, 40);
      assert.equal(await get(person.token, `/api/keys/${provider.code}/${shop.code}`), 404);
      assert.equal(await get(person.token, `/api/person/lookup/${provider.code}/${shop.code}`), 404);
    });

    test('a burst gets no more tries than a sequence, and known codes cost none', async () => {
      const company = await registerCompany(platform());
      const people = [];
      for (let count = 0; count < 3; count++) people.push(await registerPerson(platform()));
      const real = people.map(({ shareCode }) => `/api/keys/${shareCode}`);
      for (let round = 0; round < 20; round++) {
        const answers = await Promise.all(real.map((path) => get(company.token, path)));
        assert.deepEqual(answers, [200, 200, 200]);
      }
      await unknown(company.token, 29);
      const late = await registerPerson(platform());
      const burst = await Promise.all([
        ...Array.from({ length: 20 }, (_, index) => get(company.token, `/api/keys/GUESS${index}`)),
        get(company.token, `/api/keys/${late.shareCode}`),
      ]);
      assert.deepEqual(new Set(burst), new Set([404]));
    });
  },
  { SYMBOLON_RATE_UNKNOWN_CODES: '30' },
);
