import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe } from 'node:test';
import { parseFileEnvelope } from '@symbolon/crypto';
import {
  createService,
  dataToken,
  registerCompany,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { createApp, parametersFor, type TestApp } from '@symbolon/testkit/actors/consent';
import { checkPage, drawnPhoto, picture } from '@symbolon/testkit/browser/looks';
import { personAt, proveByMail } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { listening } from '@symbolon/testkit/servers/listening';

describe('the modes of the consent page', { skip }, () => {
  const { world, test } = browserTests();
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Back at the site</h1>');
  });
  let redirectUri: string;
  let company: TestCompany;
  let service: TestService;
  const address = (app: TestApp, parameters: Readonly<Record<string, string>>) =>
    `/auth?${parametersFor(app, { state: 'state-of-the-site', ...parameters })}`;
  const appWith = (settings: object) =>
    createApp(world().platform, company, { name: 'Bike Club', redirect_uris: [redirectUri], ...settings });

  before(async () => {
    if (skip) return;
    const { port } = await listening(site);
    redirectUri = `http://localhost:${port}/cb`;
    world().allow(new URL(redirectUri).origin);
    company = await registerCompany(world().platform, 'Bike Club Berlin');
    service = await createService(world().platform, company, [
      {
        ...{ slug: 'mail', label: 'Your mail', type: 'email', mandatory_provide: true },
        reason: 'To send you the bill',
      },
      { slug: 'home', label: 'Where you live', type: 'address' },
    ]);
  });
  after(() => site.close());

  test('connecting shares live answers with the service, and asks nothing the second time', async (visit) => {
    const app = await appWith({ service_id: service.id });
    const page = await visit({ phone: true });
    await personAt(world(), page, address(app, { mode: 'connect' }), 'connect@example.org');
    await page.getByRole('heading', { name: 'Connect with Bike Club' }).waitFor();
    const mail = page.getByRole('group', { name: 'Your mail' });
    await mail.getByText('Why: To send you the bill').waitFor();
    await mail.getByLabel('Your mail: your answer').fill('anna@nowhere');
    await mail.getByRole('button', { name: 'Keep this answer' }).click();
    await mail.getByRole('alert').waitFor();
    await mail.getByLabel('Your mail: your answer').fill('anna@home.example');
    await mail.getByRole('button', { name: 'Keep this answer' }).click();
    await mail.getByRole('switch', { name: 'Keep it up to date', checked: false }).check();
    const home = page.getByRole('group', { name: 'Where you live' });
    assert.equal(await home.count(), 0);
    await page.getByText('Also asked, and optional: Where you live.').waitFor();
    await page.getByRole('button', { name: 'Add more' }).click();
    await home.getByRole('button', { name: 'Add another answer' }).click();
    await home.getByLabel('Street').fill('Torstraße');
    await home.getByLabel('City').fill('Berlin');
    await home.getByRole('button', { name: 'Keep this answer' }).click();
    await home.getByRole('radio', { name: /Torstraße, Berlin/, checked: true }).waitFor();
    await home.getByRole('switch', { checked: false }).waitFor();
    await checkPage(page);
    await picture(page, 'consent-connect');
    await page.getByRole('button', { name: 'Share 2 answers with Bike Club' }).click();
    await page.waitForURL((url) => url.searchParams.has('code'));
    await page.goto(address(app, { mode: 'connect' }));
    await page.getByRole('button', { name: 'Connect with Bike Club' }).waitFor();
    await checkPage(page);
  });

  test('plugins answer a row and a claim: the person searches, types, sees what comes of it, and shares it', async (visit) => {
    const { platform } = world();
    const enabled = async (key: string) => {
      const path = `/api/account/plugins/builtin/${key}`;
      return (await platform.must('POST', path, { token: company.token })).plugin.id as string;
    };
    const places = { plugin_id: await enabled('address_lookup'), field_type: 'address' };
    const calculator = { plugin_id: await enabled('calculator'), field_type: 'formula' };
    const asking = await createService(platform, company, [
      { slug: 'home', label: 'Where you live', type: 'plugin', mandatory_provide: true, plugin: places },
    ]);
    const app = await appWith({ service_id: asking.id });
    const claims = [
      { name: 'sum', type: 'plugin', label: 'Your budget', required: true, plugin: calculator },
    ];
    const page = await visit({ phone: true });
    await personAt(
      world(),
      page,
      address(app, { mode: 'connect', claims: JSON.stringify(claims) }),
      'plugins@example.org',
    );
    const share = page.getByRole('button', { name: /with Bike Club$/ });
    const home = page.getByRole('group', { name: 'Where you live' });
    await home.getByText('Answered by Places and addresses, a part of Symbolon.').waitFor();
    assert.ok(await share.isDisabled());
    await home.getByLabel('City or town').fill('zerma');
    await page.getByRole('option', { name: 'Zermatt, Valais, Switzerland' }).click();
    await home.getByLabel('Street and number').fill('Bahnhofstrasse 1');
    await home.getByRole('button', { name: 'Compute Where you live' }).click();
    await home.getByText('Address: Bahnhofstrasse 1, Zermatt, Switzerland').waitFor();
    const sum = page.getByRole('group', { name: 'Your budget' });
    await sum.getByLabel(/^Formula/).fill('6 * 7');
    await sum.getByRole('button', { name: 'Compute Your budget' }).click();
    await sum.getByText('Result: 42').waitFor();
    await checkPage(page);
    await picture(page, 'consent-plugins');
    await page.getByRole('button', { name: 'Share 2 answers with Bike Club' }).click();
    await page.waitForURL((url) => url.searchParams.has('code'));
    const token = await dataToken(platform, asking);
    const { items } = await platform.must('GET', '/api/company-data/connections', { token });
    const { values } = await platform.must('GET', `/api/company-data/connections/${items[0].id}`, { token });
    const answer = JSON.parse(await asking.open(values.home.value));
    assert.deepEqual(answer.outputs[0], {
      key: 'address',
      type: 'text',
      label: 'Address',
      value: 'Bahnhofstrasse 1, Zermatt, Switzerland',
    });
  });

  test('a service that asks for files gets them sealed; the person sees limits, mistakes and what was chosen', async (visit) => {
    const asking = await createService(world().platform, company, [
      { slug: 'contract', label: 'Your contract', type: 'pdf_document', mandatory_provide: true },
      { slug: 'face', label: 'A photo of you', type: 'photo' },
    ]);
    const token = await dataToken(world().platform, asking);
    const page = await visit({ phone: true });
    const app = await appWith({ service_id: asking.id });
    await personAt(world(), page, address(app, { mode: 'connect' }), 'files@example.org');
    const contract = page.getByRole('group', { name: 'Your contract' }).first();
    await contract.getByText('At most 15 MiB.').waitFor();
    const approve = page.getByRole('button', { name: /with Bike Club$/ });
    assert.ok(await approve.isDisabled());
    await checkPage(page);
    const choose = (name: string, buffer: Buffer) =>
      contract.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer });
    const alert = contract.getByRole('alert');
    await choose('letter.pdf', Buffer.from('Dear Bike Club'));
    await alert.getByText('This is not a PDF').waitFor();
    await choose('empty.pdf', Buffer.alloc(0));
    await alert.getByText('This file is empty').waitFor();
    await choose('scan.pdf', Buffer.alloc(15 * 2 ** 20 + 1));
    await alert.getByText('at most 15 MiB together').waitFor();
    await checkPage(page);
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 7)]);
    await choose('contract.pdf', pdf);
    await contract.getByText('contract.pdf · 293 kB').waitFor();
    assert.equal(await alert.count(), 0);
    await contract.getByRole('button', { name: 'Keep this file' }).click();
    await contract.getByRole('radio', { name: /Your contract.*PDF document/, checked: true }).waitFor();
    await contract.getByRole('switch', { checked: false }).check();

    await page.getByRole('button', { name: 'Add more' }).click();
    const face = page.getByRole('group', { name: 'A photo of you' }).first();
    await face.getByRole('button', { name: 'Add another file' }).click();
    const camera = face.locator('input[capture=environment]');
    assert.equal(await camera.getAttribute('accept'), 'image/*');
    await face.getByRole('button', { name: 'Take a photo' }).waitFor();
    await camera.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await drawnPhoto(page) });
    await face.getByRole('img', { name: 'Preview of A photo of you' }).waitFor();
    await checkPage(page);
    await picture(page, 'consent-files');
    await face.getByRole('button', { name: 'Keep this file' }).click();
    await face.getByRole('radio', { checked: true }).waitFor();
    await face.getByRole('switch', { checked: false }).waitFor();
    await page.getByRole('button', { name: 'Share 2 answers with Bike Club' }).click();
    await page.waitForURL((url) => url.searchParams.has('code'));

    const [row] = (await world().platform.must('GET', '/api/company-data/connections', { token })).items;
    const opened = async (slug: string) => {
      const answer = await world().platform.must('GET', row.values[slug].value_url, { token });
      assert.equal(answer.encrypted, true);
      return parseFileEnvelope(await asking.open(answer.value));
    };
    const sent = await opened('contract');
    assert.ok(sent.kind === 'file' && pdf.equals(sent.file.bytes()));
    assert.deepEqual([sent.file.originalName, row.values.contract.live], ['contract.pdf', true]);
    const photo = await opened('face');
    assert.ok(photo.kind === 'photo' && photo.full.mimeType === 'image/jpeg' && photo.thumb);
    assert.ok(photo.thumb.size < photo.full.size);
    assert.equal(row.values.face.live, false);
  });

  test('enrolling lets the service ask, and a site that wants two factors gets a proof of them', async (visit) => {
    const app = await appWith({ service_id: service.id, require_2fa: true });
    const page = await visit({ colorScheme: 'dark' });
    await personAt(
      world(),
      page,
      address(app, { mode: '2fa_enroll', code_challenge: '', code_challenge_method: '' }),
      'enrol@example.org',
    );
    await page.getByRole('heading', { name: 'Let Bike Club ask you to approve logins' }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Enrol with Bike Club' }).click();
    await proveByMail(world().platform, page, 'enrol@example.org');
    await checkPage(page);
    await page.getByRole('button', { name: 'Enrol with Bike Club' }).click();
    await page.waitForURL((url) => url.searchParams.get('enrolled') === 'true');
    await page.goto('/me/enrolments');
    await page.getByRole('button', { name: /^Shop/ }).waitFor();
  });

  test('what the site can read is said before it is shared', async (visit) => {
    const app = await appWith({
      claims_delivery: 'plaintext',
      claim_config: [
        { name: 'name', required: true },
        { name: 'email', required: true },
      ],
    });
    const page = await visit();
    const query = {
      mode: '',
      response_mode: '',
      response_type: 'code',
      scope: 'openid profile email',
      nonce: 'nonce-of-the-site',
    };
    await personAt(world(), page, address(app, query), 'oidc@example.org');
    await page.getByText('readable by this site').first().waitFor();
    await page.getByText('handed over as it is').waitFor();
    await checkPage(page);
  });
});
