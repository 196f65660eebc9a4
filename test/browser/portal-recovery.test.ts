import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { createServiceKey, decryptPem, derivePublicKey, sealValue } from '@symbolon/crypto';
import { newRecoveryKey } from '@symbolon/sdk/device';
import {
  createAccountClient,
  PASSWORD,
  passwordLogin,
  registerCompany,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { addDelegate, enrolSecondFactor, invitationToken } from '@symbolon/testkit/actors/portal-logins';
import { bytesOf, checkPage } from '@symbolon/testkit/browser/looks';
import { keepRecoveryCode, portalAt, typeSignIn } from '@symbolon/testkit/browser/people';
import { browserTests, servePages, skip } from '@symbolon/testkit/browser/world';
import type { Locator, Page } from 'playwright-core';

const YOUR_PASSWORD = 'Your password, to confirm that it is you';
const PASSPHRASE = 'Passphrase of a service key';

describe('the recovery key in the portal', { skip }, () => {
  // Files are read with a header that has a word of the operator in its name.
  const { world, test } = browserTests(() => servePages({ SYMBOLON_HEADER_NAME: 'Harbour' }));

  /** A company whose recovery key was made as a browser makes it, with a service whose passphrase is sealed to it. */
  const harbour = async () => {
    const { platform } = world();
    const { credentials, publicKey, pkcs8 } = await passwordLogin();
    const key = await newRecoveryKey({ publicKey, pkcs8 });
    const login = { ...credentials, recovery_key: key };
    const company = await registerCompany(platform, 'Harbour Bikes', undefined, login);
    const made = await createServiceKey();
    const { id } = await platform.must('POST', '/api/services', {
      token: company.token,
      body: {
        name: 'Bike hire',
        admin_email: 'admin@example.com',
        public_key: made.publicKey,
        encrypted_private_key: made.encryptedPrivateKey,
        private_key_pem: made.privateKeyPem,
        passphrase_recovery_copy: await sealValue(made.passphrase, key.public_key),
      },
    });
    return { company, serviceId: id as string, pem: made.privateKeyPem, passphrase: made.passphrase };
  };

  /** After a sign-in by a program, as after one by a passkey, the browser has no key of the login. */
  const unlock = async (sheet: Locator) => {
    await sheet.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await sheet.getByRole('button', { name: 'Continue' }).click();
  };
  const openCopy = async (page: Page) => {
    await page.getByRole('button', { name: PASSPHRASE }).click();
    return page.getByRole('dialog', { name: `${PASSPHRASE}: Bike hire` });
  };
  const invite = (company: TestCompany, email: string) =>
    world().platform.must('POST', '/api/delegates', {
      token: company.token,
      body: { email, role: 'admin' },
    });

  test('an owner opens the copy of a passphrase and gives the key to an admin, who opens it too', async (visit) => {
    const { platform } = world();
    const { company, passphrase } = await harbour();
    const owner = await visit();
    await portalAt(owner, '/portal/security', company);
    const sheet = await openCopy(owner);
    await unlock(sheet);
    await sheet.getByLabel(YOUR_PASSWORD).fill('not the password');
    await checkPage(owner);
    await sheet.getByRole('button', { name: 'Open the copy' }).click();
    await sheet.getByRole('alert').waitFor();
    await sheet.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
    await sheet.getByRole('button', { name: 'Open the copy' }).click();
    assert.equal((await sheet.getByTestId('secret').innerText()).trim(), passphrase);
    await checkPage(owner);
    const [file] = await Promise.all([
      owner.waitForEvent('download'),
      sheet.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'bike-hire.passphrase');
    assert.equal((await bytesOf(file)).toString(), `${passphrase}\n`);
    await sheet.getByRole('button', { name: 'Lock again' }).click();
    await sheet.waitFor({ state: 'detached' });
    assert.ok(!(await owner.content()).includes(passphrase));

    const email = 'lea@harbour.example';
    await invite(company, email);
    const admin = await visit({ phone: true });
    await admin.goto(`/portal/invitation#${await invitationToken(platform, email)}`);
    await admin.getByLabel('Your name').fill('Lea Hafen');
    await admin.locator('input[name=password]').fill(PASSWORD);
    await admin.getByRole('button', { name: 'Join' }).click();
    await keepRecoveryCode(admin);
    await admin.getByRole('heading', { name: 'Overview' }).waitFor();
    await admin.goto('/portal/security');
    await admin.getByText('You do not hold the recovery key').waitFor();
    assert.equal(await admin.getByRole('button', { name: PASSPHRASE }).count(), 0);
    await checkPage(admin);
    // Beside the state and the button there is room for the name.
    const name = await admin.getByRole('listitem').getByText('Lea Hafen').boundingBox();
    assert.ok(name !== null && name.height < 2 * 24, `the name has ${name?.height} pixels`);
    await admin.getByRole('button', { name: 'Your words' }).click();
    const own = admin.getByRole('dialog', { name: 'The words of your key' });
    await own.getByLabel(YOUR_PASSWORD).fill('not the password');
    await own.getByRole('button', { name: 'Show the words' }).click();
    await own.getByText('This password does not open your key.').waitFor();
    await own.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
    await own.getByRole('button', { name: 'Show the words' }).click();
    const words = await own.getByRole('status').locator('p').first().innerText();
    assert.match(words, /^\w+(\W\w+){3}$/);
    await checkPage(admin);

    await owner.reload();
    await owner.getByRole('button', { name: 'Give it: Lea Hafen' }).click();
    const giving = owner.getByRole('dialog', { name: 'Give the recovery key to Lea Hafen' });
    await giving.getByText(words, { exact: true }).waitFor();
    await giving.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
    const give = giving.getByRole('button', { name: 'Give the recovery key' });
    assert.ok(await give.isDisabled());
    await giving.getByLabel('Lea Hafen read me the same words').check();
    await checkPage(owner);
    await give.click();
    await giving.waitFor({ state: 'detached' });
    const holders = owner.getByRole('list', { name: 'Who holds it' });
    await holders.getByRole('listitem').filter({ hasText: 'Lea Hafen' }).getByText('Holds it').waitFor();
    assert.equal(await owner.getByText('Only one person holds it.').count(), 0);

    await admin.getByRole('button', { name: 'Close' }).first().click();
    await admin.goto('/portal');
    await admin.getByRole('heading', { name: 'Overview' }).waitFor();
    await admin.context().clearCookies();
    await admin.goto('/portal/sign-in');
    await typeSignIn(admin, email);
    await admin.getByRole('heading', { name: 'Overview' }).waitFor();
    await admin.goto('/portal/security');
    const opened = await openCopy(admin);
    await opened.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
    await opened.getByRole('button', { name: 'Open the copy' }).click();
    assert.equal((await opened.getByTestId('secret').innerText()).trim(), passphrase);
    await checkPage(admin);
  });

  test('what was opened is locked when the page is left, and a key that has changed opens nothing', async (visit) => {
    const { platform } = world();
    const { company, passphrase } = await harbour();
    const client = await createAccountClient(platform, company);
    const page = await visit();
    await portalAt(page, '/portal/security', company);
    const sheet = await openCopy(page);
    await unlock(sheet);
    const open = async () => {
      await sheet.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
      await sheet.getByRole('button', { name: 'Open the copy' }).click();
    };
    await open();
    await sheet.getByTestId('secret').waitFor();
    // As a page that the browser keeps for Back.
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    await sheet.getByLabel(YOUR_PASSWORD).waitFor();
    assert.ok(!(await page.content()).includes(passphrase));
    await page.evaluate((id) => {
      localStorage.setItem('symbolon-recovery-keys', JSON.stringify({ [id]: '0'.repeat(64) }));
    }, company.id);
    await open();
    await sheet.getByText('The platform names another recovery key').waitFor();
    await page.reload();
    await page.getByRole('alert').getByText('Compare no words').waitFor();
    await page.evaluate(() => localStorage.removeItem('symbolon-recovery-keys'));
    await page.reload();
    await page.getByText('Its words:').waitFor();

    await page.getByRole('button', { name: 'Secret of a client' }).click();
    const secret = page.getByRole('dialog', { name: /^Secret of a client: / });
    await secret.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
    await secret.getByRole('button', { name: 'Open the copy' }).click();
    assert.equal((await secret.getByTestId('secret').innerText()).trim(), client.secret);
  });

  test('with a second factor each proof takes a code of its own', async (visit) => {
    const { platform } = world();
    const { company } = await harbour();
    await addDelegate(platform, company, 'admin');
    const page = await visit();
    await portalAt(page, '/portal/security', company);
    const { recoveryCodes } = await enrolSecondFactor(platform, company);
    await page.getByRole('button', { name: 'Give it: The admin' }).click();
    const sheet = page.getByRole('dialog', { name: 'Give the recovery key to The admin' });
    await unlock(sheet);
    const code = async (button: string) => {
      await sheet.getByLabel('Code of your authenticator app').fill(recoveryCodes.pop() ?? '');
      await sheet.getByRole('button', { name: button }).click();
    };
    await code('Continue');
    await sheet.getByLabel('The admin read me the same words').check();
    await sheet.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
    await sheet.getByRole('button', { name: 'Give the recovery key' }).click();
    await code('Give the recovery key');
    await sheet.getByText('It is sealed.').waitFor();
    await checkPage(page);
    await sheet.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
    await code('Give the recovery key');
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Give it' }).waitFor({ state: 'detached' });
  });

  test('the key file of a service and the account key are saved by a proof', async (visit) => {
    const { platform } = world();
    const { company, serviceId, pem } = await harbour();
    const page = await visit();
    await portalAt(page, `/portal/services/${serviceId}/settings`, company);
    await page.getByRole('button', { name: 'Save the key file' }).click();
    const sheet = page.getByRole('dialog', { name: 'Save the key file' });
    await sheet.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
    await checkPage(page);
    const saved = async (name: string, from: Locator) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        from.getByRole('button', { name }).click(),
      ]);
      return (await bytesOf(file)).toString();
    };
    assert.equal(await saved('Save the key file', sheet), pem);
    await page.goto('/portal/security');
    await page.getByRole('button', { name: 'Save the account key' }).click();
    const account = page.getByRole('dialog', { name: 'Save the account key' });
    await account.getByLabel(YOUR_PASSWORD).fill(PASSWORD);
    await account.getByRole('button', { name: 'Make the files' }).click();
    const made = await saved('Save file: harbour-bikes-account.pem', account);
    const passphrase = await saved('Save file: harbour-bikes-account.passphrase', account);
    await checkPage(page);
    const { public_key } = await platform.must('GET', '/api/account-key', { token: company.token });
    assert.equal(await derivePublicKey(await decryptPem(made, passphrase.trim())), public_key);
  });

  test('a developer sees the words of the key and nothing that would be refused', async (visit) => {
    const { platform } = world();
    const { company } = await harbour();
    const developer = await addDelegate(platform, company, 'developer');
    const page = await visit({ phone: true, locale: 'de-DE' });
    await portalAt(page, '/portal/security', developer);
    await page.getByText('Seine Wörter:').waitFor();
    await checkPage(page);
    assert.equal(await page.getByRole('alert').count(), 0);
    assert.equal(await page.getByRole('button', { name: /Kopie|Weitergeben|Kontoschlüssel/ }).count(), 0);
  });
});
