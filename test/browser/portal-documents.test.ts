import assert from 'node:assert/strict';
import { describe } from 'node:test';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { bytesIn, digestOf, signBy } from '@symbolon/testkit/actors/contracts';
import { leasePdf } from '@symbolon/testkit/actors/files';
import { addPasskey } from '@symbolon/testkit/actors/passkeys';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { checkPage, holds, picture } from '@symbolon/testkit/browser/looks';
import { openServiceKey, portalAt } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import type { Page } from 'playwright-core';

describe('documents in the portal', { skip }, () => {
  const { world, test } = browserTests();
  const pdf = leasePdf();

  const stand = async () => {
    const { platform } = world();
    const company = await registerCompany(platform, 'Bike Club');
    const service = await createService(platform, company);
    const [ada, ben] = [
      await registerPerson(platform, 'Ada Berg'),
      await registerPerson(platform, 'Ben Ali'),
    ];
    await connect(platform, ada, service);
    const bens = await connect(platform, ben, service);
    return { platform, company, service, ada, ben, bens };
  };

  const choosePdf = async (page: Page, button: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: button }).click(),
    ]);
    await chooser.setFiles({ name: 'Lease of a bicycle.pdf', mimeType: 'application/pdf', buffer: pdf });
  };

  test('a contract goes to two people: the copy that fails is said and sent again, and who signs is seen', async (visit) => {
    const { platform, company, service, ada, ben, bens } = await stand();
    const page = await visit();
    await portalAt(page, '/portal/documents', company);
    await page.getByText('No documents yet').waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'Send a document' }).click();
    await choosePdf(page, 'Choose the PDF');
    assert.equal(await page.getByLabel('Name of the document').inputValue(), 'Lease of a bicycle');
    await page.getByLabel('Valid until').fill('2031-12-31');
    await page.getByLabel('Search by name or code').fill('ali');
    await page.getByLabel('Ben Ali').check();
    await page.getByLabel('Search by name or code').fill('');
    await page.getByLabel('Ada Berg').check();
    await checkPage(page);

    // All but the file is kept.
    await page.reload();
    await holds(page.getByLabel('Name of the document'), 'Lease of a bicycle');
    assert.equal(await page.getByLabel('Valid until').inputValue(), '2031-12-31');
    await page.getByText('Ben Ali and Ada Berg').waitFor();
    await choosePdf(page, 'Choose the PDF');

    // Ben leaves while the page is open.
    const token = await dataToken(platform, service);
    await platform.must('DELETE', `/api/company-data/connections/${bens}`, { token });
    await page.getByRole('button', { name: 'Send (2)' }).click();
    await page.getByText('1 of 2 copies sent').waitFor();
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify(sessionStorage)), /Lease of a bicycle/);
    const failed = page.getByRole('list', { name: 'Not sent' });
    await failed.getByText('This customer is not connected any more.').waitFor();
    assert.equal(await failed.getByText('Ben Ali').count(), 1);
    await checkPage(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await failed.getByText('Ben Ali').waitFor();
    assert.equal(
      (await platform.must('GET', '/api/person/documents', { token: ben.token })).documents.length,
      0,
    );

    const [issued, ...others] = (await platform.must('GET', '/api/person/documents', { token: ada.token }))
      .documents;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [issued.kind, issued.status, issued.metadata],
      ['agreement', 'ready_to_sign', { valid_until: '2031-12-31' }],
    );
    const { id } = issued;
    const file = await platform.must('GET', `/api/person/documents/${id}/file`, { token: ada.token });
    assert.deepEqual(Buffer.from(await bytesIn(file)), pdf, 'it opens with the key of the person alone');

    await page.getByRole('link', { name: 'All documents of your company' }).click();
    const row = page.getByRole('row', { name: /Ada Berg/ });
    await row.getByText('To sign', { exact: true }).waitFor();
    await row.getByRole('link', { name: 'Lease of a bicycle' }).click();
    await page.getByRole('button', { name: 'Remind by a message' }).click();
    await openServiceKey(page);
    const message = page.getByRole('textbox', { name: 'Your message to Ada Berg' });
    await holds(message, 'Please look at Lease of a bicycle: it still waits for you.');
    await page.goto('/portal/documents');
    const { authenticator } = await addPasskey(platform, ada);
    const signed = await signBy(platform, ada, { id, pdf, digest: digestOf(pdf) }, authenticator);
    assert.equal(signed.status, 200, signed.text);
    await page.reload();
    await row.getByText('Signed', { exact: true }).waitFor();
    await checkPage(page);
    await picture(page, 'portal-documents');
    await page.getByLabel('State').selectOption('To sign');
    await page.waitForURL(/status=ready_to_sign/);
    await page.getByText('No document is in this state').waitFor();
    await page.getByLabel('State').selectOption('All states');
    await row.getByRole('link', { name: 'Ada Berg' }).click();
    const ofCustomer = page.getByRole('list', { name: 'Documents' });
    await ofCustomer.getByText('Signed', { exact: true }).waitFor();
    const happened = page.getByRole('list', { name: 'What happened' });
    await happened.getByText('Signed Lease of a bicycle').waitFor();
    assert.deepEqual(
      (await happened.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s+/)[0]),
      ['Signed', 'Sent', 'Connected'],
    );
    await checkPage(page);

    await ofCustomer.getByRole('link', { name: /Lease of a bicycle/ }).click();
    await page.getByRole('heading', { name: 'Lease of a bicycle', level: 1 }).waitFor();
    await page.getByText('2031-12-31').waitFor();
    await page.getByText(/^Signed · .* · by a passkey$/).waitFor();
    await checkPage(page);
    await openServiceKey(page);
    await page.getByText('Sealed, and unchanged since').waitFor();
    await checkPage(page);
    await picture(page, 'portal-document');
    await page.getByRole('button', { name: 'Delete the document' }).click();
    await checkPage(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the document' }).click();
    await page.getByText('No documents yet').waitFor();
  });

  test('leaving the page while copies are sent asks first', async (visit) => {
    const { company, service } = await stand();
    const page = await visit();
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/documents/*/file', async (route) => {
      await held;
      await route.continue();
    });
    await portalAt(page, `/portal/services/${service.id}/documents/new`, company);
    await choosePdf(page, 'Choose the PDF');
    await page.getByRole('button', { name: 'Choose all 2 that are listed' }).click();
    await page.getByRole('button', { name: 'Send (2)' }).click();
    await page.getByText('0 of 2 copies sent').waitFor();
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('heading', { name: 'Stop sending?' }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Keep sending' }).click();
    goOn();
    await page.getByText('2 of 2 copies sent').waitFor();
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.waitForURL(/portal\/customers/);
  });

  test('those who have something to sign are reminded at once, each of what waits for them', async (visit) => {
    const { platform, company, service, ben, bens } = await stand();
    const page = await visit();
    await portalAt(page, `/portal/services/${service.id}/documents/remind`, company);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await checkPage(page);
    await openServiceKey(page);
    await page.getByText('Nobody has to be reminded').waitFor();
    await page.getByRole('link', { name: 'Documents', exact: true }).first().click();
    await page.getByRole('link', { name: 'Send a document' }).click();
    await choosePdf(page, 'Choose the PDF');
    await page.getByRole('button', { name: 'Choose all 2 that are listed' }).click();
    await page.getByRole('button', { name: 'Send (2)' }).click();
    await page.getByText('2 of 2 copies sent').waitFor();
    await page.getByRole('link', { name: 'All documents of your company' }).click();
    await page.getByRole('link', { name: 'Remind customers' }).click();
    await page.getByRole('checkbox', { name: 'Ada Berg' }).waitFor();
    await page.getByText('Lease of a bicycle').first().waitFor();
    await holds(page.getByLabel('Message'), 'Please look at {documents}: it still waits for you.');
    await checkPage(page);
    await picture(page, 'portal-remind');
    await page.getByRole('checkbox', { name: 'Ben Ali' }).uncheck();
    await page.getByLabel('Message').fill('Still open: {documents}');
    await page.reload();
    await openServiceKey(page);
    await holds(page.getByLabel('Message'), 'Still open: {documents}');
    await page.getByRole('button', { name: 'Remind 1 customer' }).click();
    await page.getByText('1 of 1 reminded').waitFor();
    await checkPage(page);
    await page.getByRole('link', { name: 'All documents of your company' }).click();
    await page
      .getByRole('row', { name: /Ada Berg/ })
      .getByRole('link', { name: 'Ada Berg' })
      .click();
    await page.getByText('Still open: Lease of a bicycle').waitFor();
    const path = `/api/person/connections/${bens}/messages`;
    assert.deepEqual((await platform.must('GET', path, { token: ben.token })).items, []);
  });

  test('a viewer reads and is offered nothing else; on a phone in German', async (visit) => {
    const { platform, company, service, ada } = await stand();
    await platform.must('POST', `/api/services/${service.id}/documents`, {
      token: company.token,
      body: {
        ...{ kind: 'agreement', name: 'Lease of a bicycle', payload_kind: 'file', requires_signature: true },
        target: { person_user_id: ada.id },
      },
    });
    const viewer = await addDelegate(platform, company, 'viewer');
    const page = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(page, '/portal/documents', { ...company, ...viewer });
    await page.getByRole('link', { name: 'Ada Berg' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Dokument senden' }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Kunden erinnern' }).count(), 0);
    await checkPage(page);
    await page.goto(`/portal/services/${service.id}/documents/new`);
    await page.getByText('Ihre Rolle darf Dokumente lesen, aber nicht senden.').waitFor();

    const owner = await visit({ phone: true, colorScheme: 'dark', locale: 'de-DE' });
    await portalAt(owner, `/portal/services/${service.id}/documents/new`, company);
    await owner.getByLabel('Ada Berg').waitFor();
    await checkPage(owner);
    await choosePdf(owner, 'PDF wählen');
    await owner.getByLabel('Ada Berg').check();
    await owner.getByRole('button', { name: 'Senden (1)' }).click();
    await owner.getByText('1 von 1 Kopien gesendet').waitFor();
    await checkPage(owner);
  });
});
