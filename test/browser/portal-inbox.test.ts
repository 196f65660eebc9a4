import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { sealValue, serializeWrapper } from '@symbolon/crypto';
import {
  connect,
  createService,
  registerCompany,
  registerPerson,
  sealed,
} from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { checkPage, holds, picture } from '@symbolon/testkit/browser/looks';
import { openServiceKey, portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { eventually } from '@symbolon/testkit/platform/eventually';

describe('the inbox of a company', { skip }, () => {
  const { world, test } = browserTests();

  /** Customers of a service, each of whom has written something. */
  const stand = async (texts: Readonly<Record<string, string>>) => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Bike Club');
    const service = await createService(platform, company);
    const writes = new Map<string, (text: string) => Promise<unknown>>();
    for (const [name, first] of Object.entries(texts)) {
      const person = await registerPerson(platform, name);
      const id = await connect(platform, person, service);
      const write = async (text: string) => {
        const body = serializeWrapper(await sealValue(text, service.publicKey));
        const message = { body, sender_body: await sealed(text) };
        const path = `/api/person/connections/${id}/messages`;
        await platform.must('POST', path, { token: person.token, body: message });
      };
      await write(first);
      writes.set(name, write);
    }
    return { company, writes };
  };
  const ASKED = { 'Ada Berg': 'Is my bike ready?', 'Ben Ali': 'Can I come on Monday?' };

  test('what customers wrote is shared out, answered, done, and open again when the customer writes', async (visit) => {
    const { company, writes } = await stand(ASKED);
    await addDelegate(world().platform, company, 'support');
    const page = await visit();
    await portalAt(page, '/portal/messages', company);
    const threads = page.getByRole('list', { name: 'Inbox' });
    await threads.getByRole('link', { name: /Ben Ali.*1 unread/ }).waitFor();
    assert.match(await threads.getByRole('listitem').first().innerText(), /Ben Ali/);
    await checkPage(page);
    await threads.getByRole('link', { name: /Ada Berg/ }).click();
    await page.getByRole('heading', { name: 'Ada Berg' }).waitFor();
    await checkPage(page);
    await openServiceKey(page);
    await page.getByRole('log').getByText('Is my bike ready?').waitFor();
    await page.getByLabel('Looked after by').selectOption({ label: 'The support' });
    await threads.getByText('The support').waitFor();
    await page.getByRole('textbox', { name: 'Your message to Ada Berg' }).fill('Yes, come at five.');
    await page.getByRole('button', { name: 'Send to Ada Berg' }).click();
    await page.getByRole('log').getByText('Yes, come at five.').waitFor();
    await checkPage(page);
    await picture(page, 'portal-inbox');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Open again' }).waitFor();
    await threads.getByRole('link', { name: /Ada Berg/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Done/ }).click();
    await threads.getByRole('link', { name: /Ada Berg/ }).waitFor();
    await writes.get('Ada Berg')?.('Thank you!');
    await page.getByRole('link', { name: 'Open 2' }).click();
    await threads.getByRole('link', { name: /Ada Berg.*1 unread/ }).waitFor();
  });

  test('all services stand in one list, the latest first, and one of them in its own', async (visit) => {
    const { platform } = world();
    const { company } = await stand({ 'Ada Berg': 'Is my bike ready?' });
    const boats = await createService(platform, company, [], 'Boats');
    const eva = await registerPerson(platform, 'Eva Roth');
    const id = await connect(platform, eva, boats);
    const text = 'Is my boat ready?';
    const body = serializeWrapper(await sealValue(text, boats.publicKey));
    await platform.must('POST', `/api/person/connections/${id}/messages`, {
      token: eva.token,
      body: { body, sender_body: await sealed(text) },
    });
    const page = await visit();
    await portalAt(page, '/portal/messages', company);
    const threads = page.getByRole('list', { name: 'Inbox' });
    await threads.getByRole('link', { name: /Eva Roth.*Boats/ }).waitFor();
    await threads.getByRole('link', { name: /Ada Berg/ }).waitFor();
    assert.match(await threads.getByRole('listitem').first().innerText(), /Eva Roth/);
    await page.getByRole('link', { name: 'Open 2' }).waitFor();
    await checkPage(page);
    await threads.getByRole('link', { name: /Eva Roth/ }).click();
    await page.getByRole('heading', { name: 'Eva Roth' }).waitFor();
    await threads.getByRole('link', { name: /Ada Berg/ }).click();
    await page.getByRole('heading', { name: 'Ada Berg' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Eva Roth' }).waitFor();
    await page.goto('/portal/messages');
    await page.getByRole('combobox', { name: 'Service' }).click();
    await page.getByRole('option', { name: 'Boats' }).click();
    await threads.getByRole('link', { name: /Ada Berg/ }).waitFor({ state: 'detached' });
    await threads.getByRole('link', { name: /Eva Roth/ }).waitFor();
    await page.getByRole('link', { name: 'Open 1' }).waitFor();
    await page.getByRole('combobox', { name: 'Service' }).click();
    await page.getByRole('option', { name: 'All services' }).click();
    await threads.getByRole('link', { name: /Ada Berg/ }).waitFor();
  });

  test('each of the staff sees what is theirs; a viewer reads, and is offered nothing else', async (visit) => {
    const { company } = await stand(ASKED);
    const { platform } = world();
    const viewer = await addDelegate(platform, company, 'viewer');
    const support = await addDelegate(platform, company, 'support');
    const page = await visit();
    await portalAt(page, '/portal/messages?view=mine', support);
    await page.getByText('Nothing waits here').waitFor();
    await page.getByRole('link', { name: 'Open 2' }).click();
    await page.getByRole('link', { name: /Ada Berg/ }).click();
    await page.getByLabel('Looked after by').selectOption({ label: 'The support' });
    await page.getByRole('link', { name: 'Mine 1' }).click();
    await page
      .getByRole('list', { name: 'Inbox' })
      .getByRole('link', { name: /Ada Berg/ })
      .waitFor();
    const other = await visit();
    await portalAt(other, '/portal/messages', viewer);
    await other.getByRole('link', { name: /Ada Berg.*The support/ }).click();
    await other.getByRole('heading', { name: 'Ada Berg' }).waitFor();
    await checkPage(other);
    assert.equal(await other.getByLabel('Looked after by').count(), 0);
    assert.equal(await other.getByRole('button', { name: 'Done' }).count(), 0);
  });

  test('what was begun goes on on another device; a text that is kept is put into a message', async (visit) => {
    const { company } = await stand(ASKED);
    const page = await visit();
    await portalAt(page, '/portal/messages', company);
    await page.getByRole('link', { name: /Ada Berg/ }).click();
    await openServiceKey(page);
    await page.getByRole('log').getByText('Is my bike ready?').waitFor();
    await page.getByRole('button', { name: 'Insert a text' }).click();
    const sheet = page.getByRole('dialog', { name: 'Texts to send again' });
    await sheet.getByText('No texts yet').waitFor();
    await sheet.getByRole('button', { name: 'New text' }).click();
    await sheet.getByRole('textbox', { name: 'Name' }).fill('Ready');
    await sheet.getByRole('textbox', { name: 'Text' }).fill('Dear {name}, your bike is ready.');
    await checkPage(page);
    await sheet.getByRole('button', { name: 'Keep it' }).click();
    await sheet.getByRole('button', { name: 'Insert: Ready' }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-reply-texts');
    await sheet.getByRole('button', { name: 'Insert: Ready' }).click();
    const message = page.getByRole('textbox', { name: 'Your message to Ada Berg' });
    const begun = 'Dear Ada Berg, your bike is ready.';
    await holds(message, begun);
    const { platform } = world();
    const drafts = async () =>
      (await platform.must('GET', '/api/account/drafts', { token: company.token })).items as unknown[];
    await eventually('the draft is stored', async () => (await drafts()).length === 1 || undefined, 20);
    assert.equal(JSON.stringify(await drafts()).includes('bike'), false);
    const other = await visit();
    await portalAt(other, '/portal/messages', company);
    await other.getByRole('link', { name: /Ada Berg/ }).click();
    await openServiceKey(other);
    const there = other.getByRole('textbox', { name: 'Your message to Ada Berg' });
    await holds(there, begun);
    await other.getByRole('button', { name: 'Send to Ada Berg' }).click();
    await other.getByRole('log').getByText(begun).waitFor();
    await eventually('the draft goes', async () => (await drafts()).length === 0 || undefined, 20);
  });

  test('an admin writes to everyone, who is counted before; who answers customers does not', async (visit) => {
    const { company } = await stand(ASKED);
    const page = await visit();
    await portalAt(page, '/portal/messages', company);
    await page.getByRole('link', { name: 'Messages to everyone' }).click();
    await page.getByText('Nothing was sent to everyone yet').waitFor();
    await checkPage(page);
    await page.getByRole('textbox', { name: 'Your message to everyone' }).fill('We are closed on Monday.');
    await page.getByRole('button', { name: 'Send to 2 people' }).click();
    await page.getByRole('dialog', { name: 'Send this to 2 people?' }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Send to everyone' }).click();
    await page.getByText('Sent to 2 people.').waitFor();
    const sent = page.getByRole('list', { name: 'What you sent to everyone' });
    await sent.getByText('We are closed on Monday.').waitFor();
    await checkPage(page);
    await picture(page, 'portal-everyone');
    const support = await addDelegate(world().platform, company, 'support');
    const other = await visit({ phone: true, colorScheme: 'dark' });
    await portalAt(other, '/portal/messages/everyone', support);
    await other.getByRole('list', { name: 'What you sent to everyone' }).getByText('We are closed').waitFor();
    assert.equal(await other.getByRole('textbox').count(), 0);
    await checkPage(other);
  });

  test('on a phone in German, in the dark', async (visit) => {
    const { company } = await stand(ASKED);
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, '/portal/messages', company);
    await page.getByRole('link', { name: /Ada Berg/ }).waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: /Ada Berg/ }).click();
    await page.getByRole('heading', { name: 'Ada Berg' }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-inbox-phone');
    await page.getByRole('button', { name: 'Erledigt' }).click();
    await page.getByRole('button', { name: 'Wieder öffnen' }).waitFor();
    await page.getByRole('link', { name: 'Alle Nachrichten' }).click();
    await page.getByRole('link', { name: /Ben Ali/ }).waitFor();
    await checkPage(page);
  });
});
