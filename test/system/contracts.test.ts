import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyPdf } from '@symbolon/pdf/verify';
import { DataClient } from '@symbolon/sdk';
import { documentActs, PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { handleChange, sendContract } from '../../examples/send-a-contract/send.ts';
import { plainPdf } from '../../packages/pdf/src/testing/samples.ts';
import { onEachEngine } from '../../packages/server/src/testing/platform.ts';
import { mailedCode } from '../../packages/server/src/testing/portal-logins.ts';

/* The SDK of each side against the real platform. */

const PASSWORD = 'correct horse battery';

onEachEngine('contracts by the SDK', (platform) => {
  test('the example sends a contract, the person signs, and the sealed file is stored', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
    t.after(() => rmSync(folder, { recursive: true }));
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
  });
});
