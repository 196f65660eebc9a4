import type { Callable } from '../platform/calls.ts';
import type { TestPlatform } from '../platform/platform.ts';
import { SoftwareAuthenticator } from './authenticator.ts';
import { mailedProof, type ProvingAccount } from './portal-logins.ts';

/**
 * Adds a passkey to an account, and gives the authenticator that has it.
 * @param at where its routes begin: a person's unless said
 * @param proof in place of the login secret with a mailed code, which an account without a second factor gives
 */
export async function addPasskey(
  platform: TestPlatform,
  account: ProvingAccount,
  {
    at = '/api/person/passkeys',
    authenticator = SoftwareAuthenticator.for(platform),
    proof,
  }: { at?: string; authenticator?: SoftwareAuthenticator; proof?: object } = {},
): Promise<{ id: string; authenticator: SoftwareAuthenticator }> {
  const { token } = account;
  const act = `POST ${at}/options`;
  const options = await platform.must('POST', `${at}/options`, {
    token,
    body: proof ?? (await mailedProof(platform, account, act)),
  });
  const body = {
    nonce: options.challenge,
    name: 'Laptop',
    credential: authenticator.create(options),
  };
  const { id } = await platform.must('POST', at, { token, body });
  return { id, authenticator };
}

/**
 * A proof by passkey that an account is present, for one act.
 * @param at where presence is asked for: a person's unless said
 */
export async function passkeyProof(
  platform: Callable,
  token: string,
  act: string,
  authenticator: SoftwareAuthenticator,
  at = '/api/person/presence',
) {
  const options = await platform.must('POST', at, { token, body: { act } });
  return authenticator.proof(options);
}
