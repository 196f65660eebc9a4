import { LOGIN_VERSION } from '@symbolon/crypto';
import type { Locator, Page } from 'playwright-core';
import {
  PASSWORD,
  passwordLogin,
  registerPerson,
  serviceKeyFile,
  type TestPerson,
} from '../actors/actors.ts';
import { mailedCode } from '../actors/portal-logins.ts';
import { OPERATOR } from '../platform/places.ts';
import type { TestPlatform } from '../platform/platform.ts';

/** Makes an account at the pages, where the platform takes both steps in one, and leaves the page where it leads. */
export async function registerAt(
  page: Page,
  address: string,
  email: string,
  name = 'Anna Berg',
): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await keepRecoveryCode(page);
  // The browser keeps the key first: a test that leaves the page before that leaves without it.
  await page.waitForURL(({ pathname }) => pathname !== '/register');
}

/** Keeps the recovery code that a page shows, and types it back as people do. */
export async function keepRecoveryCode(page: Page): Promise<string> {
  const code = (await page.getByTestId('secret').innerText()).trim();
  await page.getByRole('button', { name: 'I have kept the recovery code' }).click();
  await page.getByLabel('Your recovery code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Check it and go on' }).click();
  return code;
}

/** Registers a person who types `PASSWORD`, beside the pages. */
export async function newPerson(
  platform: TestPlatform,
  email: string,
  name = 'Anna Berg',
): Promise<TestPerson> {
  const { credentials } = await passwordLogin();
  return registerPerson(platform, name, email, credentials);
}

/**
 * Registers a person beside the pages, and opens an address as their browser does after a sign-in: with the cookie of the
 * session, and with the keys as the pages keep them.
 */
export async function personAt(
  { platform }: { readonly platform: TestPlatform },
  page: Page,
  address: string,
  email: string,
  name = 'Anna Berg',
): Promise<TestPerson> {
  const login = await passwordLogin();
  const person = await newPerson(platform, email, name);
  await signInByCookie(page, '/api/person/login', person);
  // A file of the same origin: nothing of the pages runs before the keys are there.
  await page.goto('/icon.svg');
  await page.evaluate(keepKeys, {
    personId: person.id,
    pkcs8: [...login.pkcs8],
    publicKey: login.publicKey,
    wrapped: login.credentials.encrypted_private_key,
    loginVersion: LOGIN_VERSION,
  });
  await page.goto(address);
  return person;
}

/** Opens an address of the portal as the browser of a login does after a sign-in. */
export async function portalAt(
  page: Page,
  address: string,
  login: Parameters<typeof signInByCookie>[2],
): Promise<void> {
  await signInByCookie(page, '/api/portal/sign-in', login);
  await page.goto(address);
}

/** Opens the key of a service from its file on a page of the portal. @param words of the page, in another language */
export async function openServiceKey(
  page: Page,
  words = { choose: 'Choose the key file', passphrase: 'Passphrase of the key', open: 'Open' },
): Promise<void> {
  const { pem, passphrase } = await serviceKeyFile();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: words.choose }).click(),
  ]);
  const buffer = Buffer.from(pem);
  await chooser.setFiles({ name: 'service.pem', mimeType: 'application/x-pem-file', buffer });
  await page.getByLabel(words.passphrase).fill(passphrase);
  await page.getByRole('button', { name: words.open, exact: true }).click();
}

/** Opens an address of the operator's console and signs in there. @param words of the page, in another language */
export async function operatorAt(
  page: Page,
  address: string,
  {
    label = 'Operator token',
    button = 'Sign in',
    token = OPERATOR,
  }: { label?: string; button?: string; token?: string } = {},
): Promise<void> {
  await page.goto(address);
  await page.getByLabel(label, { exact: true }).fill(token);
  await page.getByRole('button', { name: button, exact: true }).click();
  // On a phone it is there, behind its button.
  await page.locator('nav').waitFor({ state: 'attached' });
}

async function signInByCookie(
  page: Page,
  path: string,
  { email, loginSecret }: { email: string; loginSecret: string },
): Promise<void> {
  const data = { session: 'cookie', email, login_secret: loginSecret };
  const answer = await page.request.post(path, { data });
  if (!answer.ok()) throw new Error(await answer.text());
}

/** Runs in the page: keeps keys as apps/web/src/platform/inner/key-store.ts does. */
async function keepKeys(own: {
  personId: string;
  pkcs8: number[];
  publicKey: string;
  wrapped: object;
  loginVersion: number;
}) {
  const { subtle } = crypto;
  const { pkcs8: bytes, ...rest } = own;
  const pkcs8 = Uint8Array.from(bytes);
  const key = await subtle.importKey('pkcs8', pkcs8, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, [
    'decrypt',
  ]);
  const secret = await subtle.importKey('raw', pkcs8, 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode('symbolon pins');
  const pins = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  const aes = { name: 'AES-GCM', length: 256 };
  const pinsKey = await subtle.deriveKey(pins, secret, aes, false, ['encrypt', 'decrypt']);
  const opening = indexedDB.open('symbolon', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  const writing = opening.result.transaction('keys', 'readwrite');
  const kept = { ...rest, key, pinsKey, byPasskey: undefined, pinsCounter: 0, usedAt: Date.now() };
  writing.objectStore('keys').put(kept, own.personId);
  await new Promise((resolve) => {
    writing.oncomplete = resolve;
  });
  opening.result.close();
}

/** Who is signed in at a page. */
export async function signedIn(page: Page): Promise<{ id: string; shareCode: string }> {
  const { person } = await (await page.request.get('/api/person/session')).json();
  return { id: person.person_user_id, shareCode: person.share_code };
}

/** Types address and password on a page that asks for them. */
export async function typeSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Has a code mailed for a proof, and fills it in beside the password. */
export async function proveByMail(
  platform: TestPlatform,
  form: Locator | Page,
  email: string,
): Promise<void> {
  await form.getByLabel('Your password').fill(PASSWORD);
  await form.getByRole('button', { name: 'Send a code by mail' }).click();
  await form.getByRole('button', { name: 'The code is on its way' }).waitFor();
  await form.getByLabel('Code from the mail').fill(await mailedCode(platform, email));
}
