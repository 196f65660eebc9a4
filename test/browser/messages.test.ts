import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type { Change } from '@symbolon/sdk';
import { PersonClient } from '@symbolon/sdk/person';
import { PASSWORD } from '@symbolon/testkit/actors/actors';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { checkPage, holds, picture } from '@symbolon/testkit/browser/looks';
import { personAt, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { OPERATOR } from '@symbolon/testkit/platform/platform';
import type { Page } from 'playwright-core';
import { handleChange } from '../../examples/support-messages/answer.ts';

describe('messages in the browser', { skip }, () => {
  const { world, test } = browserTests();
  let shop: TalkingService;
  before(async () => {
    if (skip) return;
    shop = await talkingService(world().platform, { name: 'Bike Club', service: 'Repairs' });
  });
  after(() => shop?.client.close());

  /** The person's device of this test, beside the page: the same account by the SDK. */
  const deviceOf = (email: string) => PersonClient.login({ baseUrl: world().url, email, password: PASSWORD });
  /** What the service hears of next. */
  const nextChange = async (event: Change['event']): Promise<Change> => {
    const found = (await shop.client.changes()).find((each) => each.event === event);
    assert.ok(found, `no ${event}`);
    return shop.client.openChange(found);
  };

  test('a person writes to a service, reads the answer as it arrives, and both see what was read', async (visit) => {
    const page = await visit();
    await personAt(world(), page, '/me/messages', 'talk@example.org');
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    await page.getByText('No messages yet').waitFor();
    await checkPage(page);
    const device = await deviceOf('talk@example.org');
    const { connection_id: connectionId } = await device.connect(shop.company.code, shop.code);

    await page.reload();
    await page.getByRole('combobox', { name: 'Write to a service' }).click();
    await page.getByRole('option', { name: 'Bike Club · Repairs' }).click();
    await page.getByRole('heading', { name: 'Bike Club' }).waitFor();
    await page.getByText('Nothing was written yet').waitFor();
    const send = page.getByRole('button', { name: 'Send to Bike Club' });
    assert.ok(await send.isDisabled());
    await checkPage(page);
    const writing = page.getByRole('textbox', { name: 'Your message to Bike Club' });
    await writing.fill('Is my bike ready?\nI can come at five.');
    const posted = page.waitForRequest(
      (request) => request.method() === 'POST' && /\/messages$/.test(request.url()),
    );
    await writing.press('Control+Enter');
    // Nothing readable leaves the browser.
    assert.ok(!(await posted).postData()?.includes('Is my bike ready?'));
    const log = page.getByRole('log', { name: 'Messages with Bike Club' });
    await log.getByText('Is my bike ready?').waitFor();
    await holds(writing, '');
    assert.equal(await writing.evaluate((field) => field === document.activeElement), true);
    await log.getByText('· sent').waitFor();

    const change = await nextChange('message_received');
    assert.equal(change.messageBody, 'Is my bike ready?\nI can come at five.');
    const acknowledged = page.waitForResponse(/\/messages\/read$/);
    await handleChange(shop.client, change, () => 'Yes. Five is fine.');
    await log.getByText('Yes. Five is fine.').waitFor();
    await log.getByText('· read').waitFor();
    // The page that shows it acknowledges it.
    await acknowledged;
    const readBy: [string | null, boolean][] = [];
    for await (const { text, readAt } of shop.client.messages.list(connectionId))
      readBy.push([text, readAt !== null]);
    assert.deepEqual(readBy[0], ['Yes. Five is fine.', true]);
    await shop.client.messages.broadcast('We are closed on Monday.');
    await world().platform.context.jobWorker.run();
    const broadcast = log.getByRole('article').filter({ hasText: 'We are closed on Monday.' });
    await broadcast.getByText('To everybody').waitFor();
    await checkPage(page);
    await picture(page, 'messages');
  });

  test('what was begun in one browser goes on in another after the tab was closed, and is gone once it is sent', async (visit) => {
    const email = 'begun@example.org';
    const page = await visit({ phone: true });
    await personAt(world(), page, '/icon.svg', email);
    const device = await deviceOf(email);
    const { connection_id: connectionId } = await device.connect(shop.company.code, shop.code);
    await page.goto(`/me/messages/${connectionId}`);
    const writingAt = (at: Page) => at.getByRole('textbox', { name: 'Your message to Bike Club' });
    const isKept = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().includes('/drafts/message.'),
    );
    await writingAt(page).fill('My bike makes a noise when');
    const kept = await isKept;
    assert.equal(kept.status(), 204);
    assert.ok(!kept.request().postData()?.includes('noise'), 'what was begun is sealed');
    await page.close();

    const other = await visit();
    await other.goto(`/sign-in?next=${encodeURIComponent(`/me/messages/${connectionId}`)}`);
    await typeSignIn(other, email);
    await other.waitForFunction(
      () => document.querySelector('textarea')?.value === 'My bike makes a noise when',
    );
    await checkPage(other);
    const isDropped = other.waitForResponse((response) => response.request().method() === 'DELETE');
    await writingAt(other).fill('My bike makes a noise when it rains.');
    await other.getByRole('button', { name: 'Send to Bike Club' }).click();
    await other.getByRole('log').getByText('when it rains.').waitFor();
    assert.equal((await isDropped).status(), 204);
    await other.reload();
    await other.getByRole('log').getByText('when it rains.').waitFor();
    assert.equal(await writingAt(other).inputValue(), '');
  });

  test('what waits is counted on every page, until the person has seen it', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark' });
    await page.addInitScript(() => {
      // Of the icon of an installed app, which this browser has not.
      const shown = { badge: 0 };
      const setAppBadge = async (number: number) => void Object.assign(shown, { badge: number });
      Object.assign(navigator, { setAppBadge, clearAppBadge: () => setAppBadge(0) });
      Object.assign(globalThis, { shown });
    });
    const badge = () =>
      page.evaluate(() => (globalThis as unknown as { shown: { badge: number } }).shown.badge);
    await personAt(world(), page, '/me/approvals', 'counted@example.org');
    const device = await deviceOf('counted@example.org');
    const { connection_id: connectionId } = await device.connect(shop.company.code, shop.code);
    const personId = device.person.person_user_id;
    for (let n = 1; n <= 55; n++) await shop.client.messages.send(connectionId, `Message ${n}`, { personId });
    const link = page.getByRole('link', { name: 'Home 55 waiting' });
    await link.waitFor();
    assert.equal(await badge(), 55);
    await checkPage(page);
    await link.click();
    await page.getByRole('link', { name: '55 unread messages from Bike Club' }).waitFor();
    await page.goto('/me/messages');
    await page.getByText('55 unread').waitFor();
    await checkPage(page);
    await picture(page, 'message-threads');
    await page.getByRole('link', { name: 'Bike Club' }).click();
    const log = page.getByRole('log');
    await log.getByText('Message 55', { exact: true }).waitFor();
    assert.equal(await log.getByRole('article').count(), 50);
    await page.getByRole('button', { name: 'Show older messages' }).click();
    await log.getByText('Message 1', { exact: true }).waitFor();
    assert.equal(await log.getByRole('article').count(), 55);
    await page.getByRole('link', { name: 'Home', exact: true }).waitFor();
    await checkPage(page);
    assert.equal((await device.messages.threads())[0]?.unread, 0);
  });

  test('a page in the background acknowledges nothing', async (visit) => {
    const page = await visit();
    await personAt(world(), page, '/me/messages', 'away@example.org');
    const device = await deviceOf('away@example.org');
    const { connection_id: connectionId } = await device.connect(shop.company.code, shop.code);
    await page.addInitScript(() => {
      const shown = { state: 'hidden' };
      Object.assign(globalThis, { shown });
      Object.defineProperty(document, 'visibilityState', { get: () => shown.state });
    });
    await page.goto(`/me/messages/${connectionId}`);
    await page.getByText('Nothing was written yet').waitFor();
    await shop.client.messages.send(connectionId, 'Are you there?', {
      personId: device.person.person_user_id,
    });
    await page.getByText('Are you there?').waitFor();
    const unread = async () => (await device.messages.threads())[0]?.unread;
    assert.equal(await unread(), 1);
    const acknowledged = page.waitForResponse(/\/messages\/read$/);
    await page.evaluate(() => {
      (globalThis as unknown as { shown: { state: string } }).shown.state = 'visible';
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await acknowledged;
    assert.equal(await unread(), 0);
  });

  test('a refusal is said in words, and what was typed stays', async (visit) => {
    const page = await visit({ locale: 'de-DE', phone: true });
    const { platform } = world();
    await personAt(world(), page, '/me', 'refused@example.org', 'Ben');
    await page.getByRole('heading', { name: /^Guten / }).waitFor();
    const device = await deviceOf('refused@example.org');
    const { connection_id: connectionId } = await device.connect(shop.company.code, shop.code);
    const path = `/api/admin/companies/${shop.company.id}/messaging`;
    const suspend = (messages: boolean) =>
      platform.must('PUT', path, { token: OPERATOR, body: { messages, broadcasts: false } });
    await suspend(true);
    await page.goto(`/me/messages/${connectionId}`);
    const writing = page.getByRole('textbox', { name: 'Ihre Nachricht an Bike Club' });
    await writing.fill('Guten Tag');
    await page.getByRole('button', { name: 'An Bike Club senden' }).click();
    await page.getByRole('alert').getByText('Der Betreiber hat die Nachrichten').waitFor();
    assert.equal(await writing.inputValue(), 'Guten Tag');
    await checkPage(page);
    await suspend(false);
    await page.getByRole('button', { name: 'An Bike Club senden' }).click();
    await page.getByRole('log').getByText('Guten Tag').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);

    await device.disconnect(connectionId);
    await page.reload();
    await page.getByRole('alert').getByText('nicht mehr mit diesem Dienst verbunden').first().waitFor();
    await checkPage(page);
  });
});
