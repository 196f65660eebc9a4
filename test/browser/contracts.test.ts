import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { before, describe } from 'node:test';
import { connect, PASSWORD } from '@symbolon/testkit/actors/actors';
import { fileOf, leasePdf, longPdf } from '@symbolon/testkit/actors/files';
import { type TalkingService, talkingService } from '@symbolon/testkit/actors/talking-service';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { withAuthenticator } from '@symbolon/testkit/browser/authenticator';
import { bytesOf, checkPage, isDrawn, picture } from '@symbolon/testkit/browser/looks';
import { personAt, proveByMail } from '@symbolon/testkit/browser/people';
import { browserTests, skip } from '@symbolon/testkit/browser/world';
import { Desk } from '@symbolon/testkit/pdf/judges';
import { without } from '@symbolon/testkit/tools';

describe('contracts in the browser', { skip: skip || without('pdfsig', 'certutil') }, () => {
  const { world, test } = browserTests();
  const desk = new Desk();
  let service: TalkingService;

  before(async () => {
    if (!skip) service = await talkingService(world().platform, { name: 'Acme Bikes', service: 'Bike Club' });
  });

  const lease = fileOf('lease.pdf', 'application/pdf', leasePdf());
  const sha256 = hash('sha256', lease.file.bytes, 'hex');
  /** What the company hears of documents. */
  const heard = async () =>
    (await service.client.changes()).filter(({ event }) => event === 'document_status_changed');

  test('a contract is read, signed with a mailed code, sealed for both, and cancelled', async (visit) => {
    const page = await visit();
    const person = await personAt(world(), page, '/me/documents', 'signer@example.org');
    const connectionId = await connect(world().platform, person, service);
    const { documents } = service.client;
    const year = new Date().getUTCFullYear() + 1;
    const { id } = await documents.create({
      name: 'Lease of a bicycle',
      kind: 'agreement',
      to: { connectionId },
      requiresSignature: true,
      content: lease,
      metadata: { can_be_cancelled_in_app: true, valid_until: `${year}-12-31` },
    });
    await service.client.changes();
    const row = page.getByRole('link', { name: 'Lease of a bicycle' });
    await row.getByText('To sign').waitFor();
    await checkPage(page);
    await picture(page, 'documents');
    await row.click();
    await page.getByText('Acme Bikes asks you to sign this').waitFor();
    await isDrawn(page, 'Page 1 of 1');
    const act = page.getByRole('region', { name: 'Sign Lease of a bicycle' });
    assert.equal(await page.getByText('This file also holds').count(), 0);
    assert.equal(await act.getByLabel('Last name').inputValue(), 'Berg');
    await act.getByText('You can cancel it here later').waitFor();
    await checkPage(page);
    await picture(page, 'document-to-sign');

    await act.getByLabel('First name').fill('Anna Maria');
    await act.getByRole('button', { name: 'Go on to signing' }).click();
    await proveByMail(world().platform, act, 'signer@example.org');
    await checkPage(page);
    await act.getByRole('button', { name: 'Sign Lease of a bicycle' }).click();
    await page.getByText('Signed by Anna Maria Berg').first().waitFor();
    const seal = page.getByRole('region', { name: 'The seal of this file' });
    await seal.getByText('Sealed, and unchanged since').waitFor();
    await seal.getByText(sha256).waitFor();
    await isDrawn(page, 'Page 2 of 2');
    await checkPage(page);
    await picture(page, 'document-signed');
    assert.equal(await act.count(), 0);

    const [signed, ...others] = await heard();
    assert.deepEqual(others, []);
    const payload = Object(signed) as Record<string, unknown>;
    assert.deepEqual(
      [payload.document_id, payload.status, payload.action, payload.method, payload.content_sha256],
      [id, 'active', 'signed', 'email', sha256],
    );
    const sealed = await documents.sealedFile(id);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const own = await bytesOf(await download);
    assert.ok(own.equals(sealed.bytes), 'both have the same bytes');
    const { roots } = await (await page.request.get('/api/seal/certificates')).json();
    const judged = desk.pdfsig(sealed.bytes, ...roots.map(({ pem }: { pem: string }) => pem));
    assert.deepEqual(judged, [{ valid: true, trusted: true, whole: true }]);

    const cancel = page.getByRole('region', { name: 'Cancel this contract' });
    await cancel.getByText(`In force until December 31, ${year}`).waitFor();
    await cancel.getByRole('button', { name: 'Cancel this contract' }).click();
    await cancel.getByLabel('Note for Acme Bikes').fill('I bought one.');
    await page.reload();
    await cancel.getByRole('button', { name: 'Cancel this contract' }).click();
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'I bought one.');
    await checkPage(page);
    await cancel.getByRole('button', { name: 'Cancel Lease of a bicycle' }).click();
    await page.getByText('Ending', { exact: true }).waitFor();
    const [cancelled] = await heard();
    const told = Object(cancelled) as Record<string, unknown>;
    assert.deepEqual(
      [told.status, told.action, told.note, told.cancel_effective_date],
      ['active_but_ending', 'cancelled', 'I bought one.', `${year}-12-31`],
    );
  });

  test('eighty pages are read on a small phone: each press leads to the next place, and few pages are drawn', async (visit) => {
    const page = await visit({ phone: true });
    await page.setViewportSize({ width: 360, height: 640 });
    const person = await personAt(world(), page, '/me/documents', 'reader@example.org');
    const connectionId = await connect(world().platform, person, service);
    const { id } = await service.client.documents.create({
      name: 'Long lease',
      kind: 'agreement',
      to: { connectionId },
      requiresSignature: true,
      content: fileOf('long.pdf', 'application/pdf', longPdf(80, [60, 72, 80])),
    });
    await page.goto(`/me/documents/${id}`);
    await isDrawn(page, 'Page 1 of 80');
    const next = (number: number) => page.getByRole('button', { name: `Next place, ${number} of 3` });
    for (const [index, number] of [60, 72, 80].entries()) {
      await next(index + 1).click();
      await isDrawn(page, `Page ${number} of 80`);
      const there = page.getByRole('region', { name: `Page ${number} of 80` });
      await there.getByText(`This is page ${number}`).waitFor();
      assert.ok(await there.evaluate((region) => region === document.activeElement));
      assert.ok((await page.locator('canvas').count()) <= 8, 'pages far away are not drawn');
    }
    await next(1).waitFor();
    await page.getByRole('button', { name: 'Larger' }).click();
    await checkPage(page);
    await page.getByRole('button', { name: 'Go to signing' }).click();
    const first = page.getByRole('region', { name: 'Sign Long lease' }).getByLabel('First name');
    assert.ok(await first.evaluate((input) => input === document.activeElement));
    await picture(page, 'document-long');
  });

  test('a passkey signs with one touch, and the other device sees it', async (visit) => {
    const page = await visit({ phone: true, colorScheme: 'dark' });
    await withAuthenticator(page, { prf: false });
    const person = await personAt(world(), page, '/me/documents', 'toucher@example.org');
    const connectionId = await connect(world().platform, person, service);
    await page.getByRole('link', { name: 'Me', exact: true }).click();
    await page.getByRole('link', { name: /^Passkeys/ }).click();
    await page.getByRole('button', { name: /^Add a passkey/ }).click();
    const passkeys = page.getByRole('dialog', { name: 'Add a passkey' });
    await passkeys.getByLabel('Name of the passkey').fill('My phone');
    await proveByMail(world().platform, passkeys, 'toucher@example.org');
    await passkeys.getByRole('button', { name: 'Make the passkey' }).click();
    await passkeys.waitFor({ state: 'detached' });
    const to = { connectionId };
    const beside = '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>/Names<</EmbeddedFiles<</Names[]>>>>';
    const content = fileOf('lease.pdf', 'application/pdf', leasePdf(beside));
    const contract = { kind: 'agreement', to, requiresSignature: true, content } as const;
    const { id } = await service.client.documents.create({ name: 'Lease', ...contract });
    const other = await page.context().newPage();
    for (const each of [page, other]) {
      await each.goto(`/me/documents/${id}`);
      await each.getByRole('region', { name: 'Sign Lease' }).waitFor();
    }
    await page.bringToFront();
    await page.getByText('This file also holds: attachments and scripts. You sign the pages').waitFor();
    await page.getByRole('button', { name: 'Go on to signing' }).click();
    await page.getByText('fingerprint').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Sign Lease' }).click();
    await page.getByText('Sealed, and unchanged since').waitFor();
    assert.equal(await page.getByText('This file also holds').count(), 0);
    await page.getByText('Confirmed on the signer’s device').first().waitFor();
    await checkPage(page);
    await other.getByText('Signed by Anna Berg').first().waitFor();
    const { signatures } = await service.client.documents.get(id);
    assert.deepEqual(
      signatures.map(({ action, method }) => [action, method]),
      [['signed', 'biometric']],
    );
  });

  test('an offer is accepted with the authenticator app, in German and by the keyboard alone', async (visit) => {
    const page = await visit();
    const person = await personAt(world(), page, '/me/documents', 'accepter@example.org');
    const connectionId = await connect(world().platform, person, service);
    await page.getByRole('link', { name: 'Me', exact: true }).click();
    await page.getByRole('link', { name: /^Authenticator/ }).click();
    await page.getByRole('button', { name: 'Switch on' }).click();
    const app = page.getByRole('dialog', { name: 'Authenticator app' });
    await proveByMail(world().platform, app, 'accepter@example.org');
    await app.getByRole('button', { name: 'Continue' }).click();
    const secret = fromBase32((await app.locator('code').innerText()).replace(/\s/g, ''));
    const at = Date.now();
    await app.getByLabel('The code that the app shows').fill(totpCode(secret, at));
    await app.getByRole('button', { name: 'Switch on' }).click();
    await app.getByRole('group', { name: 'Recovery codes' }).waitFor();
    const { id } = await service.client.documents.create({
      name: 'Tarif',
      kind: 'subscription',
      to: { connectionId },
      requiresAcceptance: true,
      content: { json: { monthly_rent: '20 Euro', repairs_included: true } },
    });
    await page.evaluate(() => localStorage.setItem('symbolon.language', 'de'));
    await page.goto(`/me/documents/${id}`);
    await page.getByRole('row', { name: 'Repairs included ja' }).waitFor();
    await checkPage(page);
    const accept = page.getByRole('button', { name: 'Tarif annehmen' });
    await accept.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Ihr Passwort').focus();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Tab');
    await page.keyboard.type(totpCode(secret, at + 30_000));
    await checkPage(page);
    await page.keyboard.press('Enter');
    await page.getByText('Sie haben dies angenommen').waitFor();
    await checkPage(page);
    const { status, signatures } = await service.client.documents.get(id);
    assert.deepEqual([status, signatures.map(({ method }) => method)], ['active', ['twofa']]);
  });
});
