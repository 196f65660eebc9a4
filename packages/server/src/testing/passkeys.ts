import { SoftwareAuthenticator } from './authenticator.ts';
import type { TestPlatform } from './platform.ts';

/** Who is signed in, with the login secret that proves it. */
interface Account {
  readonly token: string;
  readonly loginSecret: string;
}

/**
 * Adds a passkey to an account, and gives the authenticator that has it.
 * @param at where its routes begin: a person's unless said
 */
export async function addPasskey(
  platform: TestPlatform,
  { token, loginSecret: login_secret }: Account,
  {
    at = '/api/person/passkeys',
    authenticator = SoftwareAuthenticator.for(platform),
    more = {},
  }: { at?: string; authenticator?: SoftwareAuthenticator; more?: object } = {},
): Promise<{ id: string; authenticator: SoftwareAuthenticator }> {
  const options = await platform.must('POST', `${at}/options`, { token, body: { login_secret } });
  const body = {
    nonce: options.challenge,
    name: 'Laptop',
    credential: authenticator.create(options),
    ...more,
  };
  const { id } = await platform.must('POST', at, { token, body });
  return { id, authenticator };
}

/** A proof by passkey that a person is present, for one act. */
export async function passkeyProof(
  platform: TestPlatform,
  token: string,
  act: string,
  authenticator: SoftwareAuthenticator,
) {
  const options = await platform.must('POST', '/api/person/presence', { token, body: { act } });
  return authenticator.proof(options);
}
