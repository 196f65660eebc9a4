import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint, fingerprintWords } from '@symbolon/crypto';
import { DataClient } from '@symbolon/sdk';
import { PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { onPlatform } from '@symbolon/testkit/platform/platform';

/* A service gets another key: the SDK of each side against the real platform. */

const PASSWORD = 'correct horse battery';

onPlatform('keys that people confirm', (platform) => {
  test('a new key of a service gets no value before it is confirmed, on any device', async (t) => {
    const baseUrl = platform().url;
    const owner = { baseUrl, name: 'Acme', email: 'keys@example.com', password: PASSWORD };
    const { client: portal } = await PortalClient.register(owner);
    const made = await portal.createService({ name: 'Shop', adminEmail: 'ops@example.com' });
    const { id, company_code: company, share_code: code } = made.service;
    await portal.publishRequestFields(id, [{ slug: 'mail', label: 'Mail', type: 'email' }]);
    const credentials = await portal.registerDataClient(id);
    const data = ({ pem, passphrase }: { pem: string; passphrase: string }) => {
      const { client_id: clientId, client_secret: clientSecret } = credentials;
      const privateKey = { pem, passphrase };
      const client = new DataClient({ url: baseUrl, clientId, clientSecret, privateKey, threads: 1 });
      t.after(() => client.close());
      return client;
    };
    const access = { baseUrl, email: 'ada.keys@example.com', password: PASSWORD };
    const { client: phone } = await PersonClient.register({ ...access, displayName: 'Ada' });
    const field = await phone.createField({
      type: 'email',
      slug: 'mail',
      label: 'Mail',
      value: 'a@example.com',
    });
    const connection = await phone.connect(company, code, { mail: { field: 'mail' } });
    const former = data(made);
    const read = async (client: DataClient) =>
      (await client.connection(connection.connection_id)).values.mail?.value;
    assert.equal(await read(former), 'a@example.com');

    const replaced = await portal.replaceServiceKey(id);
    const laptop = await PersonClient.login(access);
    await laptop.editField(field.id, 'b@example.com');
    assert.equal(await read(former), 'a@example.com', 'the former value stays, and stays readable');
    const [withheld] = await laptop.keys.withheldSlots(field.id);
    const sha256 = await fingerprint(replaced.service.public_key);
    assert.deepEqual([withheld?.slug, withheld?.fingerprint], ['mail', sha256]);
    assert.equal(withheld?.words, await fingerprintWords(sha256));
    const remap = () => phone.remap(connection.connection_id, { mail: { field: 'mail' } });
    await assert.rejects(remap(), { errorKey: 'sdk.service_key_changed' });

    assert.deepEqual(await phone.sendWithheld(field.id), [], 'nothing goes to a key that is not confirmed');
    await laptop.keys.confirm(id, withheld?.words ?? '');
    assert.deepEqual(await phone.sendWithheld(field.id), ['mail']);
    assert.deepEqual(await phone.sendWithheld(field.id), [], 'it has the present value now');
    const tablet = await PersonClient.login(access);
    const next = data(replaced);
    assert.equal(await read(next), 'b@example.com');
    await tablet.editField(field.id, 'c@example.com');
    assert.equal(await read(next), 'c@example.com');
    assert.deepEqual(await tablet.keys.withheldSlots(field.id), []);
  });
});
