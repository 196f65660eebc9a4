import { createHash, randomBytes } from 'node:crypto';
import type { Grant } from '../../../server/src/domains/approval/index.ts';
import type { Answer, Callable } from '../platform/calls.ts';
import type { TestPlatform } from '../platform/platform.ts';
import { sealed, type TestCompany } from './actors.ts';
import { createApp as createConsentApp } from './consent.ts';

/** A sign-in app of a company. */
export interface TestApp {
  readonly companyId: string;
  readonly clientId: string;
  /** Undefined for a public one. */
  readonly secret: string | undefined;
}

export const REDIRECT_URI = 'https://shop.example/back';

export async function createApp(
  platform: Callable,
  company: TestCompany,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<TestApp> {
  const own = { name: 'Shop', redirect_uris: [REDIRECT_URI], ...settings };
  const { id: clientId, secret } = await createConsentApp(platform, company, own);
  return { companyId: company.id, clientId, secret: secret ?? undefined };
}

/** A verifier of PKCE with its challenge (RFC 7636). */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** What a person's approval grants an app. */
export function grantFor(app: TestApp, grant: Partial<Grant> = {}): Grant {
  return {
    companyId: app.companyId,
    clientId: app.clientId,
    personId: 'person',
    personEpoch: null,
    shareCode: 'ABC234',
    mode: 'oidc',
    redirectUri: REDIRECT_URI,
    codeChallenge: null,
    nonce: null,
    scope: 'openid',
    twoFactor: false,
    values: {},
    attestations: {},
    ...grant,
  };
}

/** A code, as a person's approval gives one. */
export function codeFor(platform: TestPlatform, app: TestApp, grant: Partial<Grant> = {}): Promise<string> {
  const { codes, database } = platform.context;
  return database.write((writer) => codes.mint(writer, grantFor(app, grant)));
}

/** The form of an exchange; members that are undefined are left out. */
export function exchangeForm(
  app: TestApp,
  code: string,
  members: Readonly<Record<string, string | undefined>> = {},
): URLSearchParams {
  const all = {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    client_secret: app.secret,
    code,
    redirect_uri: REDIRECT_URI,
    ...members,
  };
  return new URLSearchParams(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function exchange(
  platform: Pick<TestPlatform, 'call'>,
  app: TestApp,
  code: string,
  members: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer> {
  return platform.call('POST', '/oauth2/token', { body: exchangeForm(app, code, members) });
}

/** A value sealed to the key of the app, as it is stored. */
export async function sealedClaim(value: string): Promise<string> {
  const wrapper = await sealed(value);
  return typeof wrapper === 'string' ? wrapper : JSON.stringify(wrapper);
}
