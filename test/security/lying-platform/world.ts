import { buildFileEnvelope, generateKeyPair } from '@symbolon/crypto';
import { DataClient } from '@symbolon/sdk';
import { AccountClient, ApiClient } from '@symbolon/sdk/account';
import { CustomerClient } from '@symbolon/sdk/customer';
import { connectLink, PersonClient, readConnectLink } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import { SignInClient, type SignInRequest } from '@symbolon/sdk/sign-in';
import { damageReport, packageOf } from '@symbolon/testkit/actors/flow-packages';
import { invitationToken } from '@symbolon/testkit/actors/portal-logins';
import type { TestPlatform } from '@symbolon/testkit/platform/platform';
import { type LyingProxy, startLyingProxy } from '@symbolon/testkit/servers/lying-proxy';

export const PASSWORD = 'correct horse battery';
/** Stands in every value: nobody who lies may read it. */
export const MARKER = 'only-for-the-chosen';
export const FILE = { name: 'a.txt', mimeType: 'text/plain', bytes: new TextEncoder().encode(MARKER) };

const PDF = new TextEncoder().encode(`%PDF-1.4\n${MARKER}`);
const PAPER = { originalName: 'a.pdf', mimeType: 'application/pdf', bytes: PDF };
export const ENVELOPE = buildFileEnvelope({ file: PAPER });

/** Two companies and a person behind a proxy, who did everything once while it was honest. */
export async function world(platform: TestPlatform) {
  const proxy = await startLyingProxy(platform.url);
  return built(proxy, platform).catch(async (error) => {
    await proxy.stop();
    throw error;
  });
}

async function built(proxy: LyingProxy, platform: TestPlatform) {
  const baseUrl = proxy.url;
  const register = (name: string) =>
    PortalClient.register({ baseUrl, name, email: `${name.toLowerCase()}@lies.example`, password: PASSWORD });
  const { client: portal } = await register('Acme');
  const made = await portal.createService({ name: 'Shop', adminEmail: 'ops@lies.example' });
  const { id: serviceId, share_code: shareCode, public_key_sha256: fingerprint } = made.service;
  const code = shareCode ?? '';
  const rows = [
    { slug: 'note', label: 'Note', type: 'text' },
    { slug: 'paper', label: 'Paper', type: 'pdf_document' },
    { slug: 'first_name', label: 'First name', type: 'text' },
  ];
  await portal.publishRequestFields(serviceId, rows);
  const { company_code: company } = await portal.account();
  const credentials = await portal.registerDataClient(serviceId);
  const data = new DataClient({
    ...{ url: baseUrl, clientId: credentials.client_id, clientSecret: credentials.client_secret, threads: 1 },
    privateKey: { pem: made.pem, passphrase: made.passphrase },
  });

  const further = (name: string) => portal.createService({ name, adminEmail: 'ops@lies.example' });
  const { service: spare } = await further('Spare');
  const { service: rotated } = await further('Rotated');
  const spareCode = spare.share_code ?? '';
  await portal.publishRequestFields(spare.id, [{ slug: 'note', label: 'Note', type: 'text' }]);
  const spareClient = await portal.registerDataClient(spare.id);
  await using asking = new DataClient({
    ...{ url: baseUrl, clientId: spareClient.client_id, clientSecret: spareClient.client_secret, threads: 1 },
  });
  const invited = await portal.delegates.invite({ email: 'ben@lies.example', role: 'admin' });
  const token = await invitationToken(platform, invited.email);
  const accepted = await PortalClient.acceptInvitation({ baseUrl, token, name: 'Ben', password: PASSWORD });
  const holder = { loginId: invited.id, confirmedFingerprint: await accepted.client.keyFingerprint() };
  const robot = await portal.createAccountClient({ name: 'Robot', capabilities: ['service_management'] });
  const robotAccess = { url: baseUrl, clientId: robot.client_id, clientSecret: robot.client_secret };
  const recoveryKeyFingerprint = await portal.recoveryKeyFingerprint();
  const acme = {
    portal,
    holder,
    ...{ serviceId, spareId: spare.id, spareCode, rotatedId: rotated.id },
    account: new AccountClient({ ...robotAccess, recoveryKeyFingerprint }),
    anyCall: ApiClient.ofClient(robotAccess),
  };

  const access = { baseUrl, email: 'ada@lies.example', password: PASSWORD, displayName: 'Ada' };
  const { client: person } = await PersonClient.register(access);
  const field = await person.createField({ type: 'text', slug: 'note', label: 'Note', value: MARKER });
  const mail = await person.createField({
    type: 'email',
    slug: 'mail',
    label: 'Mail',
    value: `${MARKER}@lies.example`,
  });
  const paper = await person.createField({ type: 'pdf_document', slug: 'paper', label: 'Paper' });
  await person.files.save(paper.id, ENVELOPE);
  const answers = { note: { field: 'note' }, paper: { field: 'paper' }, first_name: { value: MARKER } };
  const { connection_id: connectionId } = await person.connect(company, code, answers);
  // A service that the person left, and that asks to come back.
  const left = await person.connect(company, spareCode, { note: { value: MARKER } });
  await person.disconnect(left.connection_id);
  await asking.connectRequests.send(person.person.share_code);
  const link = readConnectLink(
    connectLink(baseUrl, { companyCode: company, serviceCode: code, fingerprint }),
  );

  const { client: buyer } = await register('Buyer');
  const account = await buyer.createAccountClient({ name: 'ERP', capabilities: ['customer_connections'] });
  const customer = new CustomerClient({
    url: baseUrl,
    clientId: account.client_id,
    clientSecret: account.client_secret,
  });
  const bought = await customer.connect(company, code, {
    note: { value: MARKER },
    first_name: { value: MARKER },
  });
  const bond = { connectionId: bought.id, serviceLinkId: bought.services[0]?.service_link_id ?? '' };
  await customer.remap(bond, { note: { value: MARKER } });

  await data.messages.send(connectionId, MARKER);
  for await (const { id, personId, customerType } of data.connections())
    if (customerType === 'company') await data.messages.send(id, MARKER, { personId });
  await person.messages.send(connectionId, MARKER);
  const userId = person.person.person_user_id;
  const { id: documentId } = await data.documents.create({
    name: 'Paper',
    to: { connectionId },
    content: { file: FILE },
  });
  const { id: flowId } = await portal.flows.import(serviceId, new Uint8Array(await packageOf(damageReport)));
  await portal.flows.publish({ serviceId, flowId });
  const run = await data.flows.start(flowId, { connectionId });
  const other = await data.flows.start(flowId, { connectionId });
  const opened = await person.flows.run(run.id);
  const urgent = await person.flows.answer(await person.flows.run(other.id), {
    room: 'bath',
    what: MARKER,
    cost: 900,
  });
  await person.flows.answer(urgent, { visit: '2027-01-01' });
  await data.flows.run(other.id);

  const { publicKey } = await generateKeyPair();
  const redirectUri = 'https://shop.example/cb';
  const app = await portal.createOAuthApp({
    name: 'Site',
    redirect_uris: [redirectUri],
    public_key: publicKey,
  });
  const site = new SignInClient({
    url: baseUrl,
    clientId: app.client_id,
    clientSecret: app.client_secret ?? '',
    redirectUri,
  });
  const signIn = async (asked: SignInRequest = { scope: 'openid email' }, plaintext = false) => {
    const request = await person.consent.open(new URL(site.begin(asked).url).search);
    if (!('request_id' in request)) throw new Error('The app made a mistake.');
    const begun = await person.consent.begin(request);
    const claims = { email: { field: 'mail', plaintext } };
    return person.consent.approve(request, begun, { claims });
  };
  await signIn();

  // What is asked since then waits for both customers.
  await portal.publishRequestFields(serviceId, [...rows, { slug: 'later', label: 'Later', type: 'text' }]);
  return {
    ...{
      proxy,
      person,
      data,
      customer,
      site,
      signIn,
      link,
      company,
      code,
      bond,
      userId,
      connectionId,
      documentId,
      flowId,
    },
    ...{ field, paper, mail, opened, waiting: other.id },
    ...acme,
    runId: run.id,
    async stop() {
      await data.close();
      await proxy.stop();
    },
  };
}

export type World = Awaited<ReturnType<typeof world>>;
