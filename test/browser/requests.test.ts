import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage, picture } from '@symbolon/testkit/browser/looks';
import { personAt, proveByMail } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';

describe('requests to connect in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let shop: TalkingService;
  const rows = [
    {
      ...{ slug: 'phone', label: 'Your telephone', type: 'phone', mandatory_connected: true },
      reason: 'To tell you when your bike is ready',
    },
    { slug: 'size', label: 'Size of your bike', type: 'text' },
  ];
  before(async () => {
    if (skip) return;
    shop = await talkingService(world().platform, { name: 'Bike Club', service: 'Repairs', rows });
  });
  after(() => shop?.client.close());

  const heard = async () =>
    (await shop.client.changes()).map((change) => {
      const { event, request_id } = change as typeof change & { request_id?: string };
      return [event, request_id];
    });

  test('a request arrives by itself; the person sees who asks and what, answers, and is connected', async (visit) => {
    const page = await visit();
    const { shareCode } = await personAt(world(), page, '/me/requests', 'asked@example.org');
    await page.getByText('Nobody asks now').waitFor();
    await checkPage(page);
    const { id } = await shop.client.connectRequests.send(shareCode);
    const row = page.getByRole('link', { name: /^Bike Club asks to connect with you/ });
    await row.waitFor();
    await page.getByRole('link', { name: 'Home 1 waiting' }).waitFor();
    await checkPage(page);
    await row.click();
    await page.getByRole('dialog', { name: 'Bike Club asks to connect with you' }).waitFor();
    await page.getByText(`by Bike Club (${shop.company.code})`).waitFor();
    await page.getByText(/^With Symbolon since/).waitFor();
    assert.equal(await page.getByText(/Level/).count(), 0);
    const connect = page.getByRole('button', { name: /connect with Bike Club$/i });
    assert.ok(await connect.isDisabled());
    const phone = page.getByRole('group', {
      name: 'Your telephone',
      description: 'Why: To tell you when your bike is ready',
    });
    await phone.getByText('Why: To tell you when your bike is ready').waitFor();
    await phone.getByRole('textbox').fill('+49 30 901820');
    await phone.getByRole('button', { name: 'Keep this answer' }).click();
    await phone.getByRole('radio', { checked: true }).waitFor();
    // What must be live is not offered as a choice.
    assert.equal(await phone.getByRole('switch').count(), 0);
    await phone.getByText('kept up to date as long as you are connected').waitFor();
    await checkPage(page);
    await picture(page, 'connect-request');
    await page.getByRole('button', { name: 'Share 1 answer and connect with Bike Club' }).click();
    await page.getByRole('heading', { name: 'You are connected with Bike Club' }).waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).waitFor();
    await checkPage(page);
    assert.deepEqual(await heard(), [
      ['connection_created', undefined],
      ['connection_request_accepted', id],
    ]);
    const given = [];
    for await (const { values } of shop.client.connections())
      given.push([values.phone?.value, values.phone?.live]);
    assert.deepEqual(given, [['+4930901820', true]]);
    await page.getByRole('link', { name: 'Write to Bike Club' }).click();
    await page.getByRole('textbox', { name: 'Your message to Bike Club' }).waitFor();
    // The same address again: it was answered.
    await page.goto(`/me/requests/${id}`);
    await page.getByRole('alert').getByText('not open any more').waitFor();
  });

  test('declining tells the service, blocking does not, and blocking is taken back', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark' });
    const { shareCode } = await personAt(world(), page, '/me/requests', 'blocking@example.org');
    await page.getByText('Nobody asks now').waitFor();
    const first = await shop.client.connectRequests.send(shareCode);
    const look = page.getByRole('link', { name: /^Bike Club asks to connect with you/ });
    await look.click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('dialog', { name: 'You declined' }).waitFor();
    await checkPage(page);
    assert.deepEqual(await heard(), [['connection_request_rejected', first.id]]);
    await page.getByRole('link', { name: 'All requests' }).click();
    await shop.client.connectRequests.send(shareCode);
    await look.click();
    await page.getByRole('button', { name: 'Block Repairs' }).click();
    const done = page.getByRole('region', { name: 'What was just done' });
    await done.getByText('Repairs is blocked').waitFor();
    await page.getByText('Nobody asks now').waitFor();
    assert.deepEqual(await heard(), []);
    await checkPage(page);
    await done.getByRole('button', { name: 'Undo' }).click();
    await look.click();
    await page.getByRole('button', { name: 'Block Repairs' }).click();
    await page.getByText('They are not told').waitFor();
    await page.getByRole('button', { name: 'Let Repairs ask again' }).click();
    await look.waitFor();
    assert.equal(await page.getByRole('button', { name: 'Let Repairs ask again' }).count(), 0);
  });

  test('a service that wants two factors gets a proof of them', async (visit) => {
    const { platform } = world();
    const bank = await talkingService(platform, { name: 'Bank of Bikes', service: 'Loans' });
    await using strict = bank.client;
    await platform.must('PUT', `/api/services/${bank.id}/require-2fa`, {
      token: bank.company.token,
      body: { require_2fa: true },
    });
    const page = await visit();
    const { shareCode } = await personAt(world(), page, '/me/requests', 'twice@example.org');
    await strict.connectRequests.send(shareCode);
    await page.getByRole('link', { name: /^Bank of Bikes asks to connect with you/ }).click();
    const connect = page.getByRole('button', { name: 'Connect with Bank of Bikes' });
    await connect.click();
    await proveByMail(platform, page, 'twice@example.org');
    await checkPage(page);
    await connect.click();
    await page.getByRole('heading', { name: 'You are connected with Bank of Bikes' }).waitFor();
  });
});
