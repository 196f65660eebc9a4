import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { buildFileEnvelope, decryptPem, fingerprint } from '@symbolon/crypto';
import { BinaryHandle, DataClient } from '@symbolon/sdk';
import { CustomerClient } from '@symbolon/sdk/customer';
import { PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { UNLIMITED } from '@symbolon/testkit/platform/platform';
import { pino } from 'pino';
import { createContext } from '../../../packages/server/src/context.ts';
import { systemClock } from '../../../packages/server/src/core/clock.ts';
import { readConfig } from '../../../packages/server/src/core/config.ts';
import { createServer, stopServing } from '../../../packages/server/src/roles/server.ts';
import { Adversary } from './adversary.ts';
import { holdDatabase, holdKeys } from './holdings.ts';
import { startRecorder } from './recorder.ts';

/*
 * A company and its people live on a platform that keeps everything: each request, each line of its log at the finest level,
 * its mails, its database, its keys. Then all of it is tried on all of it. What carries plaintext by design is not part of this
 * life: SECURITY.md names it.
 */

/** Everything that the devices alone know. None of it may be among what the platform holds, in any spelling. */
const secrets = new Map<string, Uint8Array | string>();
const keep = <T extends Uint8Array | string>(name: string, value: T): T => {
  secrets.set(name, value);
  return value;
};

const PASSWORDS = {
  owner: 'a heron walks on nine stones',
  owner2: 'nine herons walk on a stone',
  owner3: 'stones walk under herons at night',
  admin: 'marble lantern over quiet docks',
  buyer: 'copper kettle beside the orchard',
  person: 'the orchard keeps its own counsel',
  person2: 'counsel keeps the orchard waiting',
  person3: 'waiting orchards keep no counsel',
};
const DIARY = 'my secret diary: 7f1d90';
const DIARY_2 = 'my second secret diary: 88ab21';
const ONCE = 'told once: 5ee0c4';
const CUSTOMER = 'of a customer: 41c7aa';
const QUESTION = 'asked in a message: 3bd9e2';
const REPLY = 'replied in a message: 90c4f7';
const PAPER = 'written on paper: 03d4be';
const PAPER_2 = 'written on other paper: e7710c';

describe('what a holder of the whole platform can open', () => {
  const folder = temporaryFolder({ after });
  const holder = new Adversary();
  const requests: string[] = [];
  let wrappers = 0;

  before(async () => {
    for (const [name, password] of Object.entries(PASSWORDS)) keep(`password of ${name}`, password);
    for (const value of [DIARY, DIARY_2, ONCE, CUSTOMER, QUESTION, REPLY, PAPER, PAPER_2])
      keep(`value "${value}"`, value);
    const recorder = await startRecorder();
    const log: string[] = [];
    const config = readConfig({
      ...UNLIMITED,
      SYMBOLON_DATA_DIR: folder.path,
      SYMBOLON_PORT: '0',
      SYMBOLON_LOG_LEVEL: 'trace',
      SYMBOLON_PUBLIC_URL: recorder.url,
    });
    const serving = await createContext(config, {
      clock: systemClock,
      log: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
    });
    const app = createServer(serving, { checkResponses: false });
    await app.listen({ host: '127.0.0.1', port: 0 });
    recorder.pointAt(app.listeningOrigin);
    try {
      await live(recorder.url, folder.file('outbox'));
      holdKeys(holder, serving.core);
      holdDatabase(holder, folder.file('symbolon.db'), serving.core);
    } finally {
      await app.close();
      await stopServing(serving);
      await recorder.stop();
    }
    for (const { method, url, headers, body } of recorder.requests) {
      for (const [, value] of new URLSearchParams(body)) holder.add(value, { typed: true });
      requests.push(`${method} ${url} ${JSON.stringify(headers)} ${body}`);
      holder.add([url, headers, body], { typed: true });
    }
    for (const line of log) holder.add(line, { typed: true });
    for (const file of globSync(folder.file('**/*')).filter((path) => statSync(path).isFile()))
      if (!file.includes('symbolon.db')) holder.add(readFileSync(file, 'utf8'), { typed: true });
    wrappers = holder.sealed.wrappers;
  });

  test('no secret of a device is anywhere in it', () => {
    assert.ok(requests.length > 60, `${requests.length} requests`);
    const all = [...holder.texts];
    const found: string[] = [];
    for (const [name, secret] of secrets) {
      const bytes = Buffer.from(secret);
      const spellings = [bytes.toString('latin1'), bytes.toString('base64'), bytes.toString('hex')];
      for (const text of all) if (spellings.some((spelling) => text.includes(spelling))) found.push(name);
    }
    assert.deepEqual([...new Set(found)], []);
  });

  test('nothing in it opens anything', async () => {
    const { serviceKeys, wrappedKeys } = holder.sealed;
    assert.ok(wrappers >= 10 && serviceKeys >= 2 && wrappedKeys >= 8, JSON.stringify(holder.sealed));
    const opened = await holder.open();
    assert.deepEqual(
      opened.map(({ plaintext, of }) => `${of}: ${plaintext}`),
      [],
    );
  });

  test('one password that travelled would have opened everything', async () => {
    holder.guess(PASSWORDS.owner3);
    const opened = (await holder.open()).map(({ plaintext }) => plaintext.toString());
    assert.ok(opened.includes(DIARY_2), 'the reader of this test finds what there is to find');
  });
});

/** A life: registering, sharing, changing, losing, recovering, replacing. */
async function live(baseUrl: string, outbox: string): Promise<void> {
  const mailed = (address: string, pattern: RegExp) => {
    const mails = existsSync(outbox) ? globSync(`${outbox}/*.eml`).sort().reverse() : [];
    return eventually('a mail arrives', async () => {
      for (const file of [...new Set([...globSync(`${outbox}/*.eml`).sort().reverse(), ...mails])]) {
        const text = readFileSync(file, 'utf8').replace(/=\r?\n/g, '');
        const found = text.includes(address) ? pattern.exec(text)?.[1] : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    });
  };
  const code = (address: string) => () => mailed(address, /\b(\d{6})\b/);
  const company = async (name: keyof typeof PASSWORDS) => {
    const email = `${name}@example.com`;
    const access = { baseUrl, email, password: PASSWORDS[name], name, code: code(email) };
    const { client, recoveryCode } = await PortalClient.register(access);
    keep(`recovery code of ${name}`, recoveryCode);
    return { client, recoveryCode, email };
  };

  const owner = await company('owner');
  const { service, passphrase, pem } = await owner.client.createService({
    name: 'Shop',
    adminEmail: 'ops@example.com',
  });
  keep('passphrase of the service', passphrase);
  keep('key of the service', await decryptPem(pem, passphrase));
  await owner.client.publishRequestFields(service.id, [
    { slug: 'diary', label: 'Diary', type: 'text' },
    { slug: 'once', label: 'Once', type: 'text', one_time: true },
    { slug: 'paper', label: 'Paper', type: 'document' },
  ]);
  const registered = await owner.client.registerDataClient(service.id);

  const email = 'person@example.com';
  const { client: person, recoveryCode } = await PersonClient.register({
    baseUrl,
    email,
    displayName: 'Pat',
    password: PASSWORDS.person,
    code: code(email),
  });
  keep('recovery code of the person', recoveryCode);
  const field = await person.createField({ type: 'text', label: 'Diary', slug: 'diary', value: DIARY });
  const paper = (text: string) =>
    buildFileEnvelope({ file: { bytes: Buffer.from(text), mimeType: 'text/plain' } });
  const file = await person.createField({ type: 'document', label: 'Paper', slug: 'paper', private: true });
  await person.files.save(file.id, paper(PAPER));
  await person.connect(service.company_code, service.share_code, {
    paper: { field: file.id },
    diary: { field: field.id },
    once: { value: ONCE },
  });
  await person.editField(field.id, DIARY_2);
  await person.files.save(file.id, paper(PAPER_2));
  await person.security.changePassword({ password: PASSWORDS.person }, PASSWORDS.person2);
  const renewed = keep(
    'renewed code of the person',
    await person.security.renewRecoveryCode({ password: PASSWORDS.person2 }),
  );
  const recovered = await PersonClient.recover({
    baseUrl,
    email,
    recoveryCode: renewed,
    newPassword: PASSWORDS.person3,
  });
  keep('code of the recovered person', recovered.recoveryCode);

  // The company reads, changes its password, loses it, shares its recovery key and opens what that sealed.
  await using data = new DataClient({
    url: baseUrl,
    clientId: registered.client_id,
    clientSecret: registered.client_secret,
    privateKey: { pem, passphrase },
    threads: 1,
  });
  const seen: unknown[] = [];
  for await (const { values } of data.connections()) {
    seen.push(values.diary?.value);
    const handle = values.paper?.value;
    assert.ok(handle instanceof BinaryHandle);
    for (const { bytes } of (await handle.open()).files) seen.push(Buffer.from(bytes).toString());
  }
  assert.deepEqual(seen, [DIARY_2, PAPER_2]);
  const [connection] = await recovered.client.connections();
  const thread = connection?.connection_id ?? '';
  await recovered.client.messages.send(thread, QUESTION);
  await data.messages.send(thread, REPLY);
  const messages = await recovered.client.messages.list(thread);
  assert.deepEqual(
    messages.map(({ text }) => text),
    [REPLY, QUESTION],
  );
  await owner.client.security.changePassword({ password: PASSWORDS.owner }, PASSWORDS.owner2);
  const again = await PortalClient.recover({
    baseUrl,
    email: owner.email,
    recoveryCode: owner.recoveryCode,
    newPassword: PASSWORDS.owner3,
  });
  keep('code of the recovered owner', again.recoveryCode);
  const recoveryKeyFingerprint = (await owner.client.recoveryKeyFingerprint()) ?? '';
  const back = await PortalClient.signIn({
    baseUrl,
    email: owner.email,
    password: PASSWORDS.owner3,
    recoveryKeyFingerprint,
  });
  await back.delegates.invite({ email: 'admin@example.com', role: 'admin' });
  const admin = await PortalClient.acceptInvitation({
    baseUrl,
    token: await mailed('admin@example.com', /(?<![\w-])([\w-]{43})(?![\w-])/),
    name: 'Ada',
    password: PASSWORDS.admin,
    recoveryKeyFingerprint,
  });
  keep('recovery code of the admin', admin.recoveryCode);
  const holderId = (await back.recovery.holders()).find(({ email }) => email === 'admin@example.com');
  await back.recovery.share(
    {
      loginId: holderId?.login_id ?? '',
      confirmedFingerprint: await admin.client.keyFingerprint(),
    },
    async () => ({ password: PASSWORDS.owner3 }),
  );
  const copies = await admin.client.recovery.secrets({ password: PASSWORDS.admin });
  assert.ok(copies.some(({ secret }) => secret === passphrase));
  await back.privateKeyPem(service.id, { password: PASSWORDS.owner3 });
  const replaced = await back.replaceServiceKey(service.id);
  keep('passphrase of the new service key', replaced.passphrase);

  // A company as a customer. Its account key is the server's; what it answers is sealed to the service.
  const buyer = await company('buyer');
  const account = await buyer.client.createAccountClient({
    name: 'ERP',
    capabilities: ['customer_connections'],
  });
  const { private_key_pem, public_key_sha256, public_key } = await buyer.client.accountKey(
    { password: PASSWORDS.buyer },
    'of the account key',
  );
  assert.equal(await fingerprint(public_key), public_key_sha256);
  const customer = new CustomerClient({
    url: baseUrl,
    clientId: account.client_id,
    clientSecret: account.client_secret,
    accountKey: { pem: private_key_pem, passphrase: 'of the account key' },
  });
  await customer.connect(service.company_code, service.share_code, { diary: { value: CUSTOMER } });
}
