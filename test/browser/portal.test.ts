import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '../../packages/server/src/testing/actors.ts';
import { publishFlow, submitOf, to } from '../../packages/server/src/testing/flow-runs.ts';
import { browserWorld, checkPage, picture, skip } from './support/browser.ts';
import { type TalkingService, talkingService } from './support/companies.ts';
import { PASSWORD } from './support/people.ts';

describe('the portal in the browser', { skip }, () => {
  const world = browserWorld();
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
    await page.getByLabel('Email address').fill('acme-bikes@example.com');
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
    await page.getByLabel('E-Mail-Adresse').fill('acme-bikes@example.com');
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
});
