import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DataClient } from '@symbolon/sdk';
import { PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { OPERATOR } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';

/*
 * Everybody uses the SDK and knows the front door alone; companies and people are at home in different regions, and one
 * company moves under its clients.
 */

const PASSWORD = 'correct horse battery';

withRegions('the SDK across regions', ['eu', 'us'], (regions) => {
  test('follows whoever is at home elsewhere, and whoever moves', async () => {
    const eu = regions().region('eu');
    const us = regions().region('us');
    const email = (name: string) => `${name}-${eu.context.ids.token(6)}@example.com`.toLowerCase();
    const company = { email: email('acme'), password: PASSWORD };
    const owner = { baseUrl: regions().url, name: 'Acme', ...company };
    const { client: portal } = await PortalClient.register(owner);
    const { service, pem, passphrase } = await portal.createService({
      name: 'Shop',
      adminEmail: 'ops@example.com',
    });
    await portal.publishRequestFields(service.id, [{ slug: 'mail', label: 'Mail', type: 'email' }]);
    const registered = await portal.registerDataClient(service.id);
    await using data = new DataClient({
      url: regions().url,
      clientId: registered.client_id,
      clientSecret: registered.client_secret,
      privateKey: { pem, passphrase },
      threads: 1,
    });
    const account = await portal.account();

    // One person at home in each region.
    const people = await Promise.all(
      [eu, us].map(async ({ url }) => {
        const access = { email: email('ada'), password: PASSWORD };
        await PersonClient.register({ baseUrl: url, displayName: 'Ada', ...access });
        const person = await PersonClient.login({ baseUrl: regions().url, ...access });
        const field = await person.createField({
          type: 'email',
          slug: 'mail',
          label: 'Mail',
          value: 'ada@example.com',
        });
        await person.connect(account.company_code, service.share_code, { mail: { field: 'mail' } });
        return { person, fieldId: field.id };
      }),
    );
    const values = async () => {
      await regions().settle();
      const found = [];
      for await (const connection of data.connections()) found.push(connection.values.mail?.value);
      return found;
    };
    assert.deepEqual(await values(), ['ada@example.com', 'ada@example.com']);

    await eu.must('POST', `/api/admin/companies/${account.company_user_id}/moves`, {
      token: OPERATOR,
      body: { region: 'us' },
    });
    await regions().settle();
    await eu.context.companyMoves?.moveSource.run();
    for (const { person, fieldId } of people) await person.editField(fieldId, 'ada@example.net');
    assert.deepEqual(await values(), ['ada@example.net', 'ada@example.net']);
    assert.equal((await portal.service(service.id)).name, 'Shop');
    const again = await PortalClient.signIn({ baseUrl: eu.url, ...company });
    assert.equal((await again.service(service.id)).id, service.id);
    for (const { person } of people) assert.equal((await person.connections()).length, 1);
  });
});
