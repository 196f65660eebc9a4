import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { encryptPem, generateKeyPair, generateOneTimeKey, sealBundle } from '@symbolon/crypto';
import type { PluginList } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { bytesIn, digestOf, signBy } from '@symbolon/testkit/actors/contracts';
import { leaseContract, packageOf } from '@symbolon/testkit/actors/flow-packages';
import { leaf, publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { addPasskey } from '@symbolon/testkit/actors/passkeys';
import { LOOPBACK_PLUGINS, TestPlugin } from '@symbolon/testkit/servers/plugin-server';
import type { Page } from 'playwright-core';
import { emptyFlow } from '../../apps/web/src/pages/portal/flow/edits.ts';
import { type BrowserWorld, browserWorld, checkPage, picture, skip } from './support/browser.ts';
import { type TalkingService, talkingService } from './support/companies.ts';
import { isDrawn } from './support/documents.ts';
import { PASSWORD, proveByMail, signInToPortal } from './support/people.ts';

const EMAIL = 'acme-bikes@example.com';

/** What a call that changes something carries beside the cookie. */
async function tokenOf(page: Page): Promise<Record<string, string>> {
  const { anti_forgery_token: token } = await (await page.request.get('/api/portal/session')).json();
  return { 'x-csrf-token': token };
}

/** Of the plugin that the company has on a server of its own. */
async function pluginId(page: Page): Promise<string> {
  const { plugins } = (await (await page.request.get('/api/account/plugins')).json()) as PluginList;
  return plugins.find(({ base_url: url }) => url !== null)?.id ?? '';
}

/** A contract whose tenant has signed, so that it is the turn of the company. */
async function contractToSign(world: BrowserWorld, page: Page, service: TalkingService): Promise<string> {
  const { platform } = world;
  const { serviceId, companyId, companyCode, serviceCode } = service;
  const headers = await tokenOf(page);
  const post = async (path: string, data: object, more: Record<string, string> = {}) => {
    const answer = await page.request.post(`/api/services/${serviceId}/flows${path}`, {
      headers: { ...headers, ...more },
      data,
    });
    assert.ok(answer.ok(), await answer.text());
    return answer.json();
  };
  const zip = { 'content-type': 'application/zip' };
  const { id: flowId } = await post('/import', await packageOf(leaseContract), zip);
  await post(`/${flowId}/publish`, {});
  const person = await registerPerson(platform);
  const { authenticator } = await addPasskey(platform, person);
  const { connection_id } = await platform.must('POST', '/api/person/connections', {
    token: person.token,
    body: { company_code: companyCode, service_code: serviceCode, decisions: [] },
  });
  const bindings = { tenant: person.id, landlord: companyId };
  const run = await post(`/${flowId}/runs`, { target: { connection_id }, bindings });
  await platform.must('POST', `/api/person/flow-runs/${run.id}/answers`, {
    token: person.token,
    body: await submitOf(run, { tenant_name: 'x', move_in: 'y' }, to('offer', 'landlord')),
  });
  const runs = `/${flowId}/runs/${run.id}`;
  await post(`${runs}/answers`, await submitOf(run, { landlord_name: 'x', rent: '900' }, leaf));
  const values = {
    tenant_name: 'Ada Lovelace',
    landlord_name: 'Acme Bikes',
    move_in: '2027-01-01',
    rent: '900',
    rent_of_year: '10800',
  };
  const otk = generateOneTimeKey();
  const sealed = await sealBundle(JSON.stringify(values), otk);
  const { documents } = await post(`${runs}/generate`, { otk, values: sealed });
  const theirs = documents[0].document_id;
  const copy = await platform.must('GET', `/api/person/documents/${theirs}/file`, { token: person.token });
  const pdf = await bytesIn(copy);
  const signed = await signBy(
    platform,
    person,
    { id: theirs, pdf, digest: digestOf(pdf) },
    authenticator,
    {},
  );
  assert.equal(signed.status, 200, signed.text);
  return `/portal/services/${serviceId}/flows/${flowId}/runs/${run.id}`;
}

describe('the portal in the browser', { skip }, () => {
  const world = browserWorld(LOOPBACK_PLUGINS);
  let service: TalkingService;

  before(async () => {
    if (!skip) service = await talkingService(world(), { name: 'Acme Bikes', service: 'Bike Club' });
  });

  test('a login signs in, finds its services, and signs out', async () => {
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    const address = `/portal/services/${service.serviceId}`;
    await page.goto(address);
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    await checkPage(page);
    await page.getByLabel('Email address').fill(EMAIL);
    await page.locator('input[name=password]').fill('not the password 27');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The email address or the password is wrong').waitFor();
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Bike Club' }).waitFor();
    await checkPage(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Services' }).click();
    await page.getByRole('row', { name: 'Bike Club' }).waitFor();
    await checkPage(page);
    await page.reload();
    await page.getByRole('link', { name: 'Bike Club' }).click();
    await page.getByRole('heading', { name: 'Bike Club' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    assert.equal((await page.request.get('/api/portal/session')).status(), 401);
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });

  test('a session that ended elsewhere leads to the sign-in, and a phone shows the same in the dark', async () => {
    const visitor = await world().visitor({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    const page = await visitor.newPage();
    await page.goto('/portal');
    await page.getByLabel('E-Mail-Adresse').fill(EMAIL);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByRole('heading', { name: 'Dienste' }).waitFor();
    await checkPage(page);
    await visitor.clearCookies();
    await page.getByRole('link', { name: 'Bike Club' }).click();
    await page.getByRole('heading', { name: 'Im Portal anmelden' }).waitFor();
    await checkPage(page);
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });

  test('the runs of a flow are listed, looked at and cancelled', async () => {
    const { platform } = world();
    const company = await registerCompany(platform);
    const shop = await createService(platform, company);
    const token = await dataToken(platform, shop);
    const flowId = await publishFlow(platform, shop);
    const start = async () => {
      const person = await registerPerson(platform);
      const connection_id = await connect(platform, person, shop);
      const body = { target: { connection_id }, bindings: { client: person.id, owner: company.id } };
      return {
        person,
        run: await platform.must('POST', `/api/company-data/flows/${flowId}/runs`, { token, body }),
      };
    };
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    const data = { session: 'cookie', email: company.email, login_secret: company.loginSecret };
    assert.equal((await page.request.post('/api/portal/sign-in', { data })).status(), 200);
    const runs = `/portal/services/${shop.id}/flows/${flowId}/runs`;
    await page.goto(runs);
    await page.getByText('Your backend starts a run').waitFor();
    await checkPage(page);

    const { person, run } = await start();
    await start();
    await platform.must('POST', `/api/person/flow-runs/${run.id}/answers`, {
      token: person.token,
      body: await submitOf(run, { colour: 'violet' }, to('look', 'owner')),
    });
    await page.reload();
    await page.getByText('2 runs').waitFor();
    await page.getByRole('row', { name: 'Waits for Client' }).waitFor();
    await checkPage(page);
    await picture(page, 'flow-runs');
    await page.getByLabel('Show').selectOption({ label: 'Your company is to answer' });
    await page.getByText('1 run', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'Waits for Company' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Run of Ask and look' }).waitFor();
    await page.getByText('Answered by Client').waitFor();
    assert.equal(await page.getByText('violet').count(), 0, 'the platform does not know what was answered');
    await checkPage(page);
    await picture(page, 'flow-run');
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('dialog').getByText('Nobody can answer it any more').waitFor();
    await checkPage(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByText('Cancelled').first().waitFor();
    // What a phone shows of it.
    await page.setViewportSize({ width: 390, height: 844 });
    await checkPage(page);
    await page.setViewportSize({ width: 1200, height: 860 });
    const after = await platform.must('GET', `/api/company-data/flow-runs/${run.id}`, { token });
    assert.equal(after.status, 'cancelled');

    // A flow with an open run stays; one without is deleted by its name.
    await page.goto(`/portal/services/${shop.id}`);
    await page.getByRole('button', { name: 'Delete Ask and look' }).click();
    await page.getByLabel('Type “Ask and look” to delete it').fill('Ask and look');
    await checkPage(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Runs of this flow are not finished').waitFor();
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });

  test('a plugin is added, shown with its token masked, refreshed, used by a flow, and removed', async (context) => {
    const server = await TestPlugin.start();
    context.after(() => server.stop());
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    await signInToPortal(page, '/portal/plugins', EMAIL);
    await page.getByText('No plugins yet').waitFor();
    await checkPage(page);
    const add = page.getByRole('region', { name: 'Add a plugin' });
    await add.getByLabel('Address').fill('https://10.0.0.1/plugin');
    await add.getByRole('button', { name: 'Add', exact: true }).click();
    await add.getByRole('alert').waitFor();

    // It cannot be described yet: it is there, and says why.
    server.reactToManifest = () => ({ status: 500 });
    await add.getByLabel('Address').fill(server.base);
    await add.getByLabel('Token (optional)').fill('streets of gold 4711');
    await add.getByRole('button', { name: 'Add', exact: true }).click();
    await add.getByText('without spaces').waitFor();
    await add.getByLabel('Token (optional)').fill('streets-of-gold-4711');
    await add.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The last refresh failed').waitFor();
    await page.getByText('nothing yet').waitFor();
    await checkPage(page);
    server.reactToManifest = () => undefined;
    await page.getByRole('button', { name: 'Refresh 127.0.0.1' }).click();
    const streets = page.getByRole('region', { name: 'Streets' });
    await streets.getByText('••••4711').waitFor();
    await page.getByText('The last refresh failed').waitFor({ state: 'detached' });
    assert.equal(server.headers.at(-1)?.authorization, 'Bearer streets-of-gold-4711');

    await page.getByRole('button', { name: 'Switch on Calculator' }).click();
    await page.getByRole('region', { name: 'Calculator', exact: true }).waitFor();
    const draft = emptyFlow('Deliveries', 'Customer', 'Where to');
    const element = {
      kind: 'plugin' as const,
      slug: 'street',
      label: 'Your street',
      required: true,
      plugin: { plugin_id: await pluginId(page), field_type: 'street', inputs: {} },
    };
    const nodes = draft.nodes.map((node) => ({ ...node, elements: [element] }));
    const made = await page.request.post(`/api/services/${service.serviceId}/flows`, {
      headers: await tokenOf(page),
      data: { definition: { ...draft, nodes } },
    });
    assert.equal(made.status(), 201, await made.text());
    await page.reload();
    await streets.getByRole('link', { name: 'the flow Deliveries' }).waitFor();
    assert.ok(await streets.getByRole('button', { name: 'Remove Streets' }).isDisabled());
    await checkPage(page);
    await picture(page, 'plugins');

    await streets.getByRole('button', { name: 'Replace the token of Streets' }).click();
    await streets.getByLabel('New token').fill('another-secret-0815');
    await streets.getByRole('button', { name: 'Replace', exact: true }).click();
    await streets.getByText('••••0815').waitFor();
    await streets.getByRole('button', { name: 'Replace the token of Streets' }).click();
    await checkPage(page);
    await streets.getByRole('button', { name: 'Take the token away' }).click();
    await streets.getByText('none', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove Calculator' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Switch on Calculator' }).waitFor();
    assert.deepEqual(world().problems(), []);

    // On a phone nothing is cut off.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await checkPage(page);
    await visitor.close();
  });

  test('the owner opens the copy of the company, signs it last, and sees it sealed', async () => {
    const visitor = await world().visitor();
    const page = await visitor.newPage();
    await signInToPortal(page, '/portal', EMAIL);
    await page.getByRole('row', { name: 'Bike Club' }).waitFor();
    await page.goto(await contractToSign(world(), page, service));
    await page.getByText('Documents', { exact: true }).waitFor();
    await page.getByText('is to sign').waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Open Lease: the copy of your company' }).click();
    const choose = async (pem: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Choose the key file' }).click(),
      ]);
      await chooser.setFiles({
        name: 'bike-club.pem',
        mimeType: 'application/x-pem-file',
        buffer: Buffer.from(pem),
      });
    };
    const open = async (passphrase: string) => {
      await page.getByLabel('Passphrase of the key').fill(passphrase);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
    };
    await choose('no key');
    await open('x');
    await page.getByText('This file is no encrypted private key').waitFor();
    await checkPage(page);
    await choose(await encryptPem((await generateKeyPair()).privateKey, 'of something else'));
    await open('of something else');
    await page.getByText('This key does not open the copy').waitFor();
    await choose(service.privateKey.pem);
    await open('wrong');
    await page.getByText('The passphrase does not open this key').waitFor();
    await open(service.privateKey.passphrase);
    await isDrawn(page, 'Page 1 of 1');
    await page.getByRole('heading', { name: 'Sign Lease' }).waitFor();
    await checkPage(page);
    await picture(page, 'flow-copy');

    await page.getByLabel('First name').fill('Grace');
    await page.getByLabel('Last name').fill('Hopper');
    await page.getByRole('button', { name: 'Go on to signing' }).click();
    await proveByMail(world().platform, page.locator('form').last(), EMAIL);
    await page.getByRole('button', { name: 'Sign Lease' }).click();
    await page.getByRole('heading', { name: 'Sign Lease' }).waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Seal' }).getByText('Grace Hopper').waitFor();
    await isDrawn(page, 'Page 2 of 2');
    await checkPage(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await checkPage(page);
    await page.getByRole('link', { name: 'Run of Lease contract' }).click();
    await page.getByText('Completed').first().waitFor();
    await checkPage(page);
    // Who signs out takes the key along.
    const run = page.url();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email address').fill(EMAIL);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Open Lease: the copy of your company' }).click();
    await page.getByRole('heading', { name: 'Open the copy' }).waitFor();
    assert.ok(page.url().startsWith(run));
    assert.deepEqual(world().problems(), []);
    await visitor.close();
  });
});
