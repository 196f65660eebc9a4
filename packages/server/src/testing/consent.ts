import { createHash } from 'node:crypto';
import { sharedPublicKey, type TestCompany } from './actors.ts';
import type { Answer, TestPlatform } from './platform.ts';

/** A sign-in app, and requests that people open with it. */
export interface TestApp {
  readonly id: string;
  readonly secret: string | null;
  readonly redirectUri: string;
  /** The key that the actors share. */
  readonly publicKey: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly record: any;
}

const REDIRECT_URI = 'https://shop.example/cb?tenant=a%20b';

/** @param settings members of the creating call, instead of those of an everyday app */
export async function createApp(
  platform: TestPlatform,
  company: TestCompany,
  settings: object = {},
): Promise<TestApp> {
  const publicKey = await sharedPublicKey();
  const { client_secret, ...record } = await platform.must('POST', '/api/account/oauth-apps', {
    token: company.token,
    body: { name: 'Web shop', redirect_uris: [REDIRECT_URI], public_key: publicKey, ...settings },
  });
  return {
    id: record.client_id,
    secret: client_secret,
    redirectUri: record.redirect_uris[0],
    publicKey,
    record,
  };
}

export const VERIFIER = 'a'.repeat(43);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** The parameters of an everyday request; an empty one is left out. */
export function parametersFor(
  app: TestApp,
  parameters: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const all = {
    client_id: app.id,
    redirect_uri: app.redirectUri,
    mode: 'signin',
    response_mode: 'redirect',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...parameters,
  };
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Opens a request as the page does. */
export function openRequest(
  platform: TestPlatform,
  app: TestApp,
  parameters: Readonly<Record<string, string>> | string = {},
): Promise<Answer> {
  const query = typeof parameters === 'string' ? parameters : `?${parametersFor(app, parameters)}`;
  return platform.call('POST', '/api/consent/requests', { body: { query } });
}
