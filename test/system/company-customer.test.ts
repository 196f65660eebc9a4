import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fingerprint, sealValue } from '@symbolon/crypto';
import { DataClient } from '@symbolon/sdk';
import { ChangePump, type CustomerChange, CustomerClient } from '@symbolon/sdk/customer';
import { PortalClient } from '@symbolon/sdk/portal';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { onPlatform } from '@symbolon/testkit/platform/platform';

/*
 * Two companies, each with the SDK: one runs a service, the other is its customer. Nothing is known to either side but what
 * a company knows.
 */

const PASSWORD = 'correct horse battery';
const PASSPHRASE = 'of the account key';

onPlatform('a company as the customer of another', (platform) => {
  test('answers, is read, hears of what changes, and leaves', async (t) => {
    const baseUrl = platform().url;
    const enter = async (name: string) => {
      const access = { baseUrl, name, email: `${name}@example.com`, password: PASSWORD };
      return (await PortalClient.register(access)).client;
    };
    const [seller, buyer] = await Promise.all([enter('seller'), enter('buyer')]);
    const { service, pem, passphrase } = await seller.createService({
      name: 'Shop',
      adminEmail: 'ops@example.com',
    });
    await seller.publishRequestFields(service.id, [
      { slug: 'vat', label: 'VAT', type: 'text', audience: 'company', mandatory_provide: true },
      { slug: 'office', label: 'Office', type: 'address' },
    ]);
    const registered = await seller.registerDataClient(service.id);
    await using data = new DataClient({
      url: baseUrl,
      clientId: registered.client_id,
      clientSecret: registered.client_secret,
      privateKey: { pem, passphrase },
      threads: 1,
    });
    const account = await buyer.createAccountClient({ name: 'ERP', capabilities: ['customer_connections'] });
    const { private_key_pem } = await buyer.accountKey({ password: PASSWORD }, PASSPHRASE);
    const customer = new CustomerClient({
      url: baseUrl,
      clientId: account.client_id,
      clientSecret: account.client_secret,
      accountKey: { pem: private_key_pem, passphrase: PASSPHRASE },
    });

    const connection = await customer.connect(service.company_code, service.share_code, {
      vat: { value: 'DE123' },
      office: { value: { street: 'Main', city: 'Bern' } },
    });
    const [link] = connection.services;
    assert.ok(link);
    const ref = { connectionId: connection.id, serviceLinkId: link.service_link_id };
    const read = await data.connection(ref.serviceLinkId);
    const { company_user_id } = await buyer.account();
    proves(
      'route:GET /api/company-data/connections/{id}',
      'route:GET /api/company-connections/lookup/{companyCode}/{serviceCode}',
    );
    assert.deepEqual(
      [read.customerType, read.displayName, read.personId, read.values.vat?.value, read.values.vat?.live],
      ['company', 'buyer', company_user_id, 'DE123', true],
    );
    assert.deepEqual({ ...(read.values.office?.value as object) }, { street: 'Main', city: 'Bern' });

    await customer.remap(ref, { vat: { value: 'DE456' } });
    const changes = await Promise.all((await data.changes()).map((event) => data.openChange(event)));
    assert.deepEqual(
      changes.map(({ event, customerType, slug, value }) => [event, customerType, slug, value?.value]),
      [
        ['connection_created', 'company', undefined, undefined],
        ['field_updated', 'company', 'vat', 'DE456'],
      ],
    );

    const { path: folder } = temporaryFolder(t);
    const heard: CustomerChange[] = [];
    const pump = new ChangePump({
      client: customer,
      file: join(folder, 'changes.db'),
      pollMs: 20,
      idlePollMs: 20,
      handle: (change) => {
        heard.push(change);
      },
    });
    const hears = (event: string) =>
      eventually(`the customer hears ${event}`, async () => heard.find((change) => change.event === event));
    pump.start();
    await hears('connection_created');
    await seller.publishShareFields(service.id, [
      { slug: 'hours', label: 'Hours', type: 'text', value: 'nine to five' },
    ]);
    await platform().context.jobWorker.run();
    const shared = await hears('share_changed');
    assert.equal(shared.connectionId, connection.id);
    assert.equal((await customer.connection(connection.id)).services[0]?.shared[0]?.value, 'nine to five');

    const replaced = await seller.replaceServiceKey(service.id);
    await platform().context.jobWorker.run();
    const rotated = await hears('service_key_rotated');
    assert.equal(rotated.servicePublicKeySha256, replaced.service.public_key_sha256);
    const answers = { vat: { value: 'DE789' } };
    await assert.rejects(customer.remap(ref, answers), { errorKey: 'sdk.service_key_changed' });
    // The seller tells it on another way than through the platform.
    const sha256 = await fingerprint(replaced.service.public_key);
    await customer.confirmKey(service.company_code, service.share_code, sha256);
    await customer.remap(ref, answers);
    await using renewed = new DataClient({
      url: baseUrl,
      clientId: registered.client_id,
      clientSecret: registered.client_secret,
      privateKey: { pem: replaced.pem, passphrase: replaced.passphrase },
      threads: 1,
    });
    const { values } = await renewed.connection(ref.serviceLinkId);
    assert.equal(values.vat?.value, 'DE789');
    assert.equal(values.office?.unreadable, true, 'it waits for its customer, or for the former key');
    const [former] = await seller.formerServiceKeys(service.id, { password: PASSWORD });
    assert.equal(former?.private_key_pem, pem);
    assert.equal((await data.connection(ref.serviceLinkId)).values.office?.unreadable, false);

    const { public_key } = await customer.publicKey((await buyer.account()).company_code);
    assert.equal(customer.openValue(await sealValue('for the buyer', public_key)), 'for the buyer');

    await customer.disconnect(connection.id);
    await hears('connection_deleted');
    await pump.stop();
    assert.deepEqual(await customer.connections(), []);
  });
});
