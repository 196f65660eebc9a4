import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import { encryptPem, generateKeyPair } from '@symbolon/crypto';
import type { Plugin } from '@symbolon/protocol';
import { PASSWORD, serviceKeyFile } from '@symbolon/testkit/actors/actors';
import { contractToSign } from '@symbolon/testkit/actors/contract-to-sign';
import { publishFlow, submitOf, to } from '@symbolon/testkit/actors/flow-runs';
import { connectedPerson, openShop } from '@symbolon/testkit/actors/scenes';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage, isDrawn, picture } from '@symbolon/testkit/browser/looks';
import { portalAt, proveByMail, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import { LOOPBACK_PLUGINS, TestPlugin } from '@symbolon/testkit/servers/plugin-server';
import { startReceiver } from '@symbolon/testkit/servers/receiver';
import { emptyFlow } from '../../apps/web/src/pages/portal/flow/edits.ts';

const EMAIL = 'acme-bikes@example.com';

describe('the portal in the browser', { skip }, () => {
  const { world, test } = browserTests(() => servePages(LOOPBACK_PLUGINS));
  let service: TalkingService;

  before(async () => {
    if (!skip) service = await talkingService(world().platform, { name: 'Acme Bikes', service: 'Bike Club' });
  });

  test('a login signs in, finds its services, and signs out', async (visit) => {
    const page = await visit();
    const askedForPerson: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/person/session')) askedForPerson.push(page.url());
    });
    const address = `/portal/services/${service.id}`;
    await page.goto(address);
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    await checkPage(page);
    await typeSignIn(page, EMAIL, 'not the password 27');
    await page.getByText('The email address or the password is wrong').waitFor();
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Bike Club' }).waitFor();
    await checkPage(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Services', exact: true }).click();
    await page.getByRole('row', { name: 'Bike Club' }).waitFor();
    await checkPage(page);
    await page.reload();
    await page.getByRole('main').getByRole('link', { name: 'Bike Club' }).click();
    await page.getByRole('heading', { name: 'Bike Club' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the portal' }).waitFor();
    assert.equal((await page.request.get('/api/portal/session')).status(), 401);
    assert.deepEqual(askedForPerson, []);
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    assert.equal(askedForPerson.length, 1);
  });

  test('a session that ended elsewhere leads to the sign-in, and a phone shows the same in the dark', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await page.goto('/portal/services');
    await page.getByLabel('E-Mail-Adresse').fill(EMAIL);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByRole('heading', { name: 'Dienste' }).waitFor();
    await checkPage(page);
    await page.context().clearCookies();
    await page.getByRole('main').getByRole('link', { name: 'Bike Club' }).click();
    await page.getByRole('heading', { name: 'Im Portal anmelden' }).waitFor();
    await checkPage(page);
  });

  test('the runs of a flow are listed, looked at and cancelled, and webhooks say how they stand', async (visit, context) => {
    const { platform } = world();
    const { company, service: shop, token } = await openShop(platform);
    const hooks = `/api/services/${shop.id}/webhooks`;
    let status = 500;
    const { dispatcher } = platform.context;
    dispatcher.start();
    context.after(() => dispatcher.stop());
    const receiver = await startReceiver((_request, _body, response) => response.writeHead(status).end());
    context.after(() => receiver.stop());
    const asCompany = (body: object) => ({ token: company.token, body });
    await platform.must('POST', hooks, asCompany({ url: receiver.url, auth_type: 'none' }));
    const off = { url: `${receiver.base}/off`, auth_type: 'none', events: ['field_updated'], enabled: false };
    await platform.must('POST', hooks, asCompany(off));
    const flowId = await publishFlow(platform, shop);
    const start = async () => {
      const { person, connectionId: connection_id } = await connectedPerson(platform, shop);
      const bindings = { client: person.id, owner: company.id };
      const body = { target: { connection_id }, bindings, reference: 'Order 7' };
      return {
        person,
        run: await platform.must('POST', `/api/company-data/flows/${flowId}/runs`, { token, body }),
      };
    };
    const page = await visit();
    const runs = `/portal/services/${shop.id}/flows/${flowId}/runs`;
    await portalAt(page, runs, company);
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
    await page.getByRole('cell', { name: `Ada (${person.shareCode})` }).waitFor();
    await checkPage(page);
    await picture(page, 'flow-runs');
    await page.getByLabel('Show').selectOption({ label: 'Your company is to answer' });
    await page.getByText('1 run', { exact: true }).waitFor();
    await page
      .getByRole('row', { name: 'Waits for Company' })
      .getByRole('link', { name: /Order 7/ })
      .click();
    await page.getByRole('heading', { name: /^Run of Ask and look · .+ · Order 7$/ }).waitFor();
    await page.getByText('Answered by Client').waitFor();
    await page.getByText(`Client: Ada (${person.shareCode})`).waitFor();
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

    await dispatcher.scan();
    await dispatcher.idle();
    await page.goto(`/portal/services/${shop.id}`);
    const [failing, silent] = await Promise.all(
      ['Failing', 'Switched off'].map(async (state) => {
        const row = page
          .getByRole('list', { name: 'Webhooks' })
          .getByRole('listitem')
          .filter({ hasText: state });
        await row.waitFor();
        return row.innerText();
      }),
    );
    assert.match(
      failing ?? '',
      /events? waits? · the oldest: .*\s+Last failure .*: it answered 500, not 200\s+Next try/,
    );
    assert.match(
      silent ?? '',
      /Events: field_updated\s+No event waits\s+Send an example\s+Switch on\s+Delete$/,
    );
    await checkPage(page);
    await picture(page, 'webhooks');
    status = 200;
    await page.getByRole('button', { name: `Send an example to ${receiver.url}` }).click();
    await page.getByText('The example arrived').waitFor();
    await checkPage(page);

    // A flow with an open run stays; one without is deleted by its name.
    await page.getByRole('button', { name: 'Delete Ask and look' }).click();
    await page.getByLabel('Type “Ask and look” to delete it').fill('Ask and look');
    await checkPage(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Runs of this flow are not finished').waitFor();
  });

  test('a plugin is added, shown with its token masked, refreshed, used by a flow, and removed', async (visit, context) => {
    const { platform } = world();
    const server = await TestPlugin.start();
    context.after(() => server.stop());
    const page = await visit();
    await portalAt(page, '/portal/plugins', service.company);
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

    await streets.getByRole('button', { name: 'Try Streets' }).click();
    const trial = page.getByRole('dialog', { name: 'Streets, tried' });
    server.react = ({ op }) =>
      op === 'options'
        ? { options: [{ id: '7', label: 'Hamburg' }], more: false }
        : { outputs: { zip: '20095' } };
    await trial.getByRole('combobox', { name: 'City' }).fill('ham');
    await page.getByRole('option', { name: 'Hamburg' }).click();
    await trial.getByText('ZIP: 20095').waitFor();
    await checkPage(page);
    await page.keyboard.press('Escape');
    await trial.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Switch on Calculator' }).click();
    await page.getByRole('region', { name: 'Calculator', exact: true }).waitFor();
    const { token } = service.company;
    const { plugins } = await platform.must('GET', '/api/account/plugins', { token });
    const { id } = plugins.find(({ base_url: url }: Plugin) => url !== null);
    const draft = emptyFlow('Deliveries', 'Customer', 'Where to');
    const element = {
      kind: 'plugin' as const,
      slug: 'street',
      label: 'Your street',
      required: true,
      plugin: { plugin_id: id, field_type: 'street', inputs: {} },
    };
    const nodes = draft.nodes.map((node) => ({ ...node, elements: [element] }));
    const body = { definition: { ...draft, nodes } };
    await platform.must('POST', `/api/services/${service.id}/flows`, { token, body });
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
  });

  test('the owner opens the copy of the company, signs it last, and sees it sealed', async (visit) => {
    const page = await visit();
    await portalAt(page, await contractToSign(world().platform, service), service.company);
    await page.getByRole('heading', { name: 'Documents' }).waitFor();
    await page.getByText('is to sign').waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Open Lease: the copy of your company' }).click();
    // The page of the run asks for the key, too, and stands until the other one is loaded.
    await page.getByRole('heading', { name: 'Lease', exact: true, level: 1 }).waitFor();
    const key = await serviceKeyFile();
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
    await choose(key.pem);
    await open('wrong');
    await page.getByText('The passphrase does not open this key').waitFor();
    await open(key.passphrase);
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
    await page.getByRole('button', { name: 'Pages of the portal' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await typeSignIn(page, EMAIL);
    await page.getByRole('link', { name: 'Open Lease: the copy of your company' }).click();
    await page.getByRole('heading', { name: 'Open the copy' }).waitFor();
    assert.ok(page.url().startsWith(run));
  });
});
