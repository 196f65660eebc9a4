import type {
  LoginParameters,
  MailedTicket,
  Person,
  PersonSession,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { useSyncExternalStore } from 'react';
import { call, setTokens } from './api.ts';
import { type DeviceKeys, onDevice } from './device.ts';
import { forgetKeys, keepKeys, readKeys } from './key-store.ts';

export type SignedIn = { state: 'in'; person: Person; keys: DeviceKeys | undefined };
export type Session = { state: 'unknown' } | { state: 'out' } | SignedIn;

let current: Session = { state: 'unknown' };
const listeners = new Set<() => void>();

function become(next: Session): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Who is signed in here. */
export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** Asks who is signed in, once, when the page starts. */
export async function resume(): Promise<void> {
  become({ state: 'out' });
}

async function enter(answer: PersonSession, keys: DeviceKeys, loginVersion: number): Promise<void> {
  setTokens({ bearer: answer.access_token });
  const { person } = answer;
  const personId = person.person_user_id;
  const known = await readKeys(personId);
  await forgetKeys();
  await keepKeys({
    ...keys,
    personId,
    loginVersion,
    pinsCounter: known?.pinsCounter ?? 0,
    usedAt: Date.now(),
  });
  become({ state: 'in', person, keys });
}

export async function signIn(email: string, password: string): Promise<void> {
  const parameters = await call<LoginParameters>('POST', '/api/person/login/parameters', { email });
  const { loginSecret, wrapKey } = await onDevice('loginSecret', { parameters, password });
  const answer = await call<PersonSession>('POST', '/api/person/login', { email, login_secret: loginSecret });
  const keys = await onDevice('open', { wrapped: answer.encrypted_private_key, wrapKey });
  await enter(answer, keys, parameters.version);
}

/** An account that is being made: its keys are made while the person reads the mail. */
export type Registration = { ticket: string; making: ReturnType<typeof makeLogin>; displayName: string };

function makeLogin(input: { email: string; displayName: string; password: string }) {
  const making = onDevice('newLogin', { password: input.password, about: [input.email, input.displayName] });
  making.catch(() => undefined);
  return making;
}

/** The first step: a code is mailed. Without a code the account is there already, where the platform takes that. */
export async function startRegistration(input: {
  email: string;
  displayName: string;
  password: string;
}): Promise<Registration | { recoveryCode: string; finish: () => Promise<void> }> {
  const { email, displayName } = input;
  const making = makeLogin(input);
  // A weak password is told before a code is mailed.
  const made = await making;
  if (isOneStep()) {
    const account = { display_name: displayName, public_key: made.publicKey, ...made.credentials };
    const answer = await call<PersonSession>('POST', '/api/person/register', { email, account });
    return {
      recoveryCode: made.recoveryCode,
      finish: () => enter(answer, made.keys, made.credentials.version),
    };
  }
  const { ticket } = await call<MailedTicket>('POST', '/api/person/register', { email });
  return { ticket, making, displayName };
}

/** The second step. The recovery code is shown before the person is let in by `finish`. */
export async function confirmRegistration({ ticket, making, displayName }: Registration, code: string) {
  const { publicKey, credentials, recoveryCode, keys } = await making;
  const account = { display_name: displayName, public_key: publicKey, ...credentials };
  const answer = await call<PersonSession>('POST', '/api/person/register/confirm', {
    ticket,
    code: code.replace(/\s/g, ''),
    account,
  });
  return { recoveryCode, finish: () => enter(answer, keys, credentials.version) };
}

export async function recover(input: { email: string; recoveryCode: string; password: string }) {
  const { email, password } = input;
  const { recoverySecret, wrapKey } = await onDevice('recoverySecret', { code: input.recoveryCode });
  const proof = { email, recovery_secret: recoverySecret };
  const found = await call<{ encrypted_private_key: WrappedPrivateKey }>(
    'POST',
    '/api/person/recover/key',
    proof,
  );
  const made = await onDevice('newCredentials', {
    wrapped: found.encrypted_private_key,
    wrapKey,
    password,
    about: [email],
  });
  const answer = await call<PersonSession>('POST', '/api/person/recover', { ...proof, ...made.credentials });
  return {
    recoveryCode: made.recoveryCode,
    finish: () => enter(answer, made.keys, made.credentials.version),
  };
}

export async function signOut(): Promise<void> {
  await forgetKeys();
  setTokens({});
  become({ state: 'out' });
}

/** Closed installations register in one step; the server says so in the page. */
function isOneStep(): boolean {
  return document.querySelector('meta[name="symbolon-registration"]')?.getAttribute('content') === 'one-step';
}
