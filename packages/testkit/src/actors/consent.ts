import { createHash } from 'node:crypto';
import type { Answer, Callable } from '../platform/calls.ts';
import { sharedPublicKey, type TestCompany, type TestPerson } from './actors.ts';

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
  platform: Callable,
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
  platform: Callable,
  app: TestApp,
  parameters: Readonly<Record<string, string>> | string = {},
): Promise<Answer> {
  const query = typeof parameters === 'string' ? parameters : `?${parametersFor(app, parameters)}`;
  return platform.call('POST', '/api/consent/requests', { body: { query } });
}

/** A request that was opened. */
export interface Opened {
  readonly request_id: string;
  readonly request_token: string;
}

/** Opens a request that must be good. */
export async function opened(
  platform: Callable,
  app: TestApp,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Opened> {
  const answer = await openRequest(platform, app, parameters);
  if (answer.body?.request_id === undefined) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}

/** Begins, approves or refuses a request as a person. */
export function decide(
  platform: Callable,
  person: Pick<TestPerson, 'token'>,
  what: 'begin' | 'approve' | 'refuse',
  { request_id, request_token }: Opened,
  more: object = {},
): Promise<Answer> {
  return platform.call('POST', `/api/consent/requests/${request_id}/${what}`, {
    token: person.token,
    body: { request_token, ...more },
  });
}

/** The parameters with which a person comes back. */
export function told(redirectTo: string): Record<string, string> {
  return Object.fromEntries(new URL(redirectTo).searchParams);
}

/** Signs a person in at an app; gives the code. */
export async function signIn(
  platform: Callable,
  app: TestApp,
  person: Pick<TestPerson, 'token'>,
  parameters: Readonly<Record<string, string>> = {},
  decision: object = {},
): Promise<string> {
  const request = await opened(platform, app, parameters);
  const answer = await decide(platform, person, 'approve', request, decision);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return told(answer.body.redirect_to).code ?? '';
}

/** A poll for the result of a detached request. */
export function pollResult(
  platform: Callable,
  app: TestApp,
  state: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const secret = app.secret === null ? {} : { client_secret: app.secret };
  const form = { client_id: app.id, state, ...secret, ...more };
  return platform.call('POST', '/oauth2/result', { body: new URLSearchParams(form) });
}
