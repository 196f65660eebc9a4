import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeBase64, deriveLoginKeys } from '@symbolon/crypto';
import { verifyPdf } from '@symbolon/pdf/verify';
import { type Change, DataClient } from '@symbolon/sdk';
import { CustomerClient } from '@symbolon/sdk/customer';
import { documentActs, PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { SoftwareAuthenticator } from '@symbolon/testkit/actors/authenticator';
import { addPasskey } from '@symbolon/testkit/actors/passkeys';
import { mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { symbolon } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { plainPdf } from '@symbolon/testkit/pdf/samples';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { handleChange, sendContract } from '../../examples/send-a-contract/send.ts';

/* The SDK of each side against the real platform. */

const PASSWORD = 'correct horse battery';

onPlatform('contracts by the SDK', (platform) => {
  test('the example sends a contract, the person signs, and the sealed file is stored', async (t) => {
    const { path: folder } = temporaryFolder(t);
    const baseUrl = platform().url;
    const owner = { baseUrl, name: 'Acme', email: 'contracts@example.com', password: PASSWORD };
    const { client: portal } = await PortalClient.register(owner);
    const made = await portal.createService({ name: 'Homes', adminEmail: 'ops@example.com' });
    const { id, share_code: serviceCode } = made.service;
    const { client_id: clientId, client_secret: clientSecret } = await portal.registerDataClient(id);
    const privateKey = { pem: made.pem, passphrase: made.passphrase };
    const client = new DataClient({ url: baseUrl, clientId, clientSecret, privateKey, threads: 1 });
    t.after(() => client.close());
    const email = 'ada.contracts@example.com';
    const { client: ada } = await PersonClient.register({
      ...{ baseUrl, email, password: PASSWORD },
      displayName: 'Ada',
    });
    const { company_code: companyCode } = await portal.account();
    await ada.connect(companyCode, serviceCode ?? '');

    const file = join(folder, 'lease.pdf');
    writeFileSync(file, plainPdf({ pages: 1 }));
    const contract = await sendContract(client, file, ada.person.person_user_id);
    const follow = async () => {
      for (const event of await client.changes())
        await handleChange(client, await client.openChange(event), folder);
    };
    await follow();
    assert.deepEqual(readdirSync(folder), ['lease.pdf']);
    const opened = await ada.documents.open(contract);
    await ada.presence.mailCode(documentActs.sign(opened));
    const proof = { password: PASSWORD, mailedCode: await mailedCode(platform(), email) };
    const signed = await ada.documents.sign(opened, { firstName: 'Ada', lastName: 'Lovelace' }, proof);
    assert.equal(signed.status, 'active');
    await follow();
    const stored = readFileSync(join(folder, `${contract}.pdf`));
    const { content } = await ada.documents.open(contract);
    assert.equal(content.kind, 'file');
    assert.ok(stored.equals(content.file.bytes), 'both parties hold the same file');
    const found = await verifyPdf(stored);
    assert.deepEqual([found.verdict, found.originalIntact], ['untrusted', true]);
    assert.deepEqual(
      found.facts?.acts.map(({ name, method }) => [name, method]),
      [['Ada Lovelace', 'email']],
    );

    // What happened to a contract that is gone holds nothing up.
    const withdrawn = await sendContract(client, file, ada.person.person_user_id);
    await client.documents.delete(withdrawn);
    const told = { event: 'document_status_changed', documentId: withdrawn, status: 'ended' };
    await handleChange(client, told as Change, folder);
    assert.equal(readdirSync(folder).length, 2);

    const keyFile = join(folder, 'service.pem');
    writeFileSync(keyFile, made.pem);
    const env = {
      ...{ SYMBOLON_URL: baseUrl, SYMBOLON_CLIENT_ID: clientId, SYMBOLON_CLIENT_SECRET: clientSecret },
      ...{ SYMBOLON_PRIVATE_KEY_FILE: keyFile, SYMBOLON_PASSPHRASE: made.passphrase },
    };
    const out = join(folder, 'by-command.pdf');
    const verified = await symbolon(['documents', 'verify', contract, '--out', out], { env });
    assert.equal(verified.code, 3, verified.stderr);
    assert.match(verified.stdout, /Ada Lovelace/);
    assert.ok(stored.equals(readFileSync(out)), 'the command opens the same file');
    const again = await symbolon(['documents', 'verify', contract, '--out', out], { env });
    assert.match(again.stderr, /by-command\.pdf/);
  });

  test('the owner of a company that is a customer opens, signs and accepts on the own device', async (t) => {
    const baseUrl = platform().url;
    const register = async (name: string, email: string) =>
      (await PortalClient.register({ baseUrl, name, email, password: PASSWORD })).client;
    const portal = await register('Landlord', 'landlord@example.com');
    const made = await portal.createService({ name: 'Offices', adminEmail: 'ops@example.com' });
    const { id, share_code: serviceCode } = made.service;
    const { client_id: clientId, client_secret: clientSecret } = await portal.registerDataClient(id);
    const privateKey = { pem: made.pem, passphrase: made.passphrase };
    const client = new DataClient({ url: baseUrl, clientId, clientSecret, privateKey, threads: 1 });
    t.after(() => client.close());

    const email = 'owner.tenant@example.com';
    const owner = await register('Tenant', email);
    const robot = await owner.createAccountClient({ name: 'Robot', capabilities: ['customer_connections'] });
    const customer = new CustomerClient({
      ...{ url: baseUrl, clientId: robot.client_id, clientSecret: robot.client_secret },
    });
    const { company_code: companyCode } = await portal.account();
    await customer.connect(companyCode, serviceCode ?? '');

    const { company_user_id: userId } = await owner.account();
    const bytes = plainPdf({ pages: 1 });
    const content = { file: { name: 'office.pdf', mimeType: 'application/pdf', bytes } };
    const contract = { kind: 'agreement', to: { userId }, content } as const;
    await client.documents.create({
      ...{ ...contract, name: 'Office', requiresSignature: true, requiresAcceptance: true },
      metadata: { can_be_cancelled_in_app: true },
    });
    const key = await owner.openAccountKey({ password: PASSWORD });
    const [received] = await owner.customerDocuments.list();
    assert.ok(received);
    assert.deepEqual([received.company.display_name, received.document.name], ['Landlord', 'Office']);
    const opened = await owner.customerDocuments.open(received.ref, key);
    assert.ok(opened.content.kind === 'file' && Buffer.from(bytes).equals(opened.content.file.bytes));

    const accepted = await owner.customerDocuments.accept(opened);
    assert.deepEqual([accepted.status, accepted.signatures[0]?.method], ['ready_to_sign', null]);
    const signer = { firstName: 'Grace', lastName: 'Hopper' };
    const again = await owner.customerDocuments.open(received.ref, key);
    await assert.rejects(owner.customerDocuments.sign(again, signer, { password: PASSWORD }), {
      errorKey: 'auth.two_factor_required',
    });
    await owner.customerDocuments.mailCode(documentActs.sign(again));
    const mailed = { password: PASSWORD, mailedCode: await mailedCode(platform(), email) };
    const signed = await owner.customerDocuments.sign(again, signer, mailed);
    assert.deepEqual(
      [signed.status, signed.signatures.map(({ method }) => method)],
      ['active', [null, 'email']],
    );
    const sealed = await owner.customerDocuments.open(received.ref, key);
    assert.ok(sealed.content.kind === 'file');
    assert.equal(sealed.content.sha256, signed.sealed_sha256);
    const cancelled = await owner.customerDocuments.cancel(received.ref, 'We move.');
    assert.equal(cancelled.status, 'ended');

    const { id: other } = await client.documents.create({
      ...{ ...contract, name: 'Parking', requiresSignature: true },
    });
    const authenticator = SoftwareAuthenticator.for(platform());
    const at = '/api/account/passkeys';
    const parameters = await platform().must('POST', '/api/portal/login/parameters', { body: { email } });
    const { loginSecret } = await deriveLoginKeys(PASSWORD, {
      ...parameters,
      salt: decodeBase64(parameters.salt),
    });
    const login = { token: owner.session.token, email, loginSecret };
    await addPasskey(platform(), login, { at, authenticator });
    const parking = await owner.customerDocuments.open({ ...received.ref, documentId: other }, key);
    const byPasskey = await owner.customerDocuments.sign(parking, signer, {
      passkey: {
        create: () => assert.fail('nothing is made'),
        get: async ({ challenge }) => ({
          clientExtensionResults: {},
          ...authenticator.get({ nonce: challenge }).credential,
        }),
      },
    });
    assert.equal(byPasskey.signatures[0]?.method, 'biometric');
  });
});
