import type { MailedTicket, Person } from '@symbolon/protocol';
import { onDevice } from './device.ts';
import { call } from './inner/api.ts';
import { byRecoveryCode } from './recovered.ts';
import { type Entered, enter, isOneStep } from './session.ts';

const BY_COOKIE = { session: 'cookie' } as const;

/** An account that is being made: with its keys, unless the page was loaded again since the code was mailed. */
export type Registration = {
  ticket: string;
  email: string;
  displayName: string;
  made?: MadeLogin | undefined;
};
export type Made = { person: Person; recoveryCode: string; finish: () => Promise<void> };
type MadeLogin = Awaited<ReturnType<typeof makeLogin>>;

function makeLogin(input: { email: string; displayName: string; password: string }) {
  return onDevice('newLogin', { password: input.password, about: [input.email, input.displayName] });
}

/** The first step: a code is mailed. Where the operator takes both steps in one, the account is there already. */
export async function startRegistration(input: {
  email: string;
  displayName: string;
  password: string;
}): Promise<Registration | Made> {
  const { email, displayName } = input;
  // A weak password is refused before a code is mailed.
  const made = await makeLogin(input);
  if (isOneStep()) {
    const body = { ...BY_COOKIE, email, account: accountOf(made, displayName) };
    return madeAnswer(await call<Entered>('POST', '/api/person/register', body), made);
  }
  const { ticket } = await call<MailedTicket>('POST', '/api/person/register', { email });
  return { ticket, email, displayName, made };
}

/** The second step. @param password for the keys, where they have to be made again */
export async function confirmRegistration(
  begun: Registration,
  code: string,
  password: string,
): Promise<Made> {
  const { ticket, displayName, made = await makeLogin({ ...begun, password }) } = begun;
  const account = accountOf(made, displayName);
  const body = { ...BY_COOKIE, ticket, code: code.replace(/\s/g, ''), account };
  return madeAnswer(await call<Entered>('POST', '/api/person/register/confirm', body), made);
}

const accountOf = ({ publicKey, credentials }: MadeLogin, displayName: string) => ({
  display_name: displayName,
  public_key: publicKey,
  ...credentials,
});

/** The recovery code is shown before the person is let in by `finish`. */
const madeAnswer = (
  answer: Entered,
  { recoveryCode, keys, credentials }: Pick<MadeLogin, 'recoveryCode' | 'keys' | 'credentials'>,
): Made => ({
  person: answer.person,
  recoveryCode,
  finish: () => enter(answer, keys, { wrapped: answer.encrypted_private_key, version: credentials.version }),
});

/** @param input.second where the person has a second factor */
export async function recover(input: {
  email: string;
  recoveryCode: string;
  password: string;
  second?: { code: string } | { recovery_code: string };
}): Promise<Made> {
  const { email, password, second } = input;
  const { proof, wrapped, wrapKey } = await byRecoveryCode(call, '/api/person/recover/key', {
    email,
    code: input.recoveryCode,
  });
  const made = await onDevice('newCredentials', { wrapped, wrapKey, password, about: [email] });
  const body = { ...BY_COOKIE, ...proof, ...made.credentials, ...second };
  return madeAnswer(await call<Entered>('POST', '/api/person/recover', body), made);
}
