import type { MailedTicket, Person, WrappedPrivateKey } from '@symbolon/protocol';
import { AuthenticationError } from '@symbolon/sdk/device';
import { useSyncExternalStore } from 'react';
import { isAway } from './away.ts';
import { type DeviceKeys, onDevice } from './device.ts';
import { SESSION } from './inner/addresses.ts';
import { call, setAntiForgeryToken, whenActed, whenSignedOut } from './inner/api.ts';
import { forgetKeys, keepKeys, type PasskeyCopy, readKeys } from './inner/key-store.ts';
import { derived } from './presence.ts';
import { distrust, dropAnswers } from './queries.ts';

export type { PasskeyCopy } from './inner/key-store.ts';

export type SignedIn = {
  state: 'in';
  person: Person;
  /** Missing where this browser has a session but cannot open values: after a passkey without a key, or 12 idle hours. */
  keys: DeviceKeys | undefined;
};
/** `away`: unknown, because the platform did not answer. */
export type Session = { state: 'unknown' } | { state: 'out' } | { state: 'away'; error: unknown } | SignedIn;

/** What a sign-in is answered in a browser: the session itself is in a cookie that no script reads. */
export type Entered = {
  anti_forgery_token: string;
  expires_at: string;
  person: Person;
  encrypted_private_key: WrappedPrivateKey;
};
const BY_COOKIE = { session: 'cookie' } as const;

let current: Session = { state: 'unknown' };
let hasAsked = false;
const listeners = new Set<() => void>();

function become(next: Session): void {
  if (current.state === 'in' && !(next.state === 'in' && isSame(current, next))) dropAnswers('person');
  current = next;
  for (const listener of listeners) listener();
}

const isSame = (one: SignedIn, other: SignedIn) => one.person.person_user_id === other.person.person_user_id;

/** Who is signed in here now. */
export function currentSession(): Session {
  return current;
}

/** Who is signed in here. The first page for people asks. */
export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      if (!hasAsked) resume();
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** Asks who is signed in, when a page for people starts, and goes on with the keys that this browser keeps. */
export async function resume(): Promise<void> {
  hasAsked = true;
  whenActed(() => distrust('person'));
  whenSignedOut(() => current.state === 'in' && become({ state: 'out' }));
  try {
    type Current = { anti_forgery_token: string | null; person: Person };
    const { anti_forgery_token: token, person } = await call<Current>('GET', SESSION);
    setAntiForgeryToken(token ?? undefined);
    become({ state: 'in', person, keys: await readKeys(person.person_user_id) });
  } catch (error) {
    if (isAway(error)) return become({ state: 'away', error });
    if (error instanceof AuthenticationError) await forgetKeys();
    become({ state: 'out' });
  }
}

/** Asks again, after the platform could not be reached. */
export function resumeAgain(): Promise<void> {
  become({ state: 'unknown' });
  return resume();
}

/** Keys that were not used for long are gone also in a page that stayed open. */
export async function dropIdleKeys(): Promise<void> {
  if (current.state !== 'in' || current.keys === undefined) return;
  const kept = await readKeys(current.person.person_user_id);
  if (kept === undefined && current.state === 'in') become({ ...current, keys: undefined });
}

/** Lets the person in, with the keys that were opened here. */
export async function enter(
  answer: Pick<Entered, 'person' | 'anti_forgery_token'>,
  keys: DeviceKeys | undefined,
  byPassword?: { wrapped: WrappedPrivateKey; version: number },
  byPasskey?: PasskeyCopy,
): Promise<void> {
  const { person } = answer;
  const personId = person.person_user_id;
  const known = await readKeys(personId);
  await forgetKeys();
  if (keys !== undefined) {
    await keepKeys({
      ...keys,
      personId,
      wrapped: byPassword?.wrapped,
      byPasskey,
      loginVersion: byPassword?.version ?? known?.loginVersion ?? 0,
      pinsCounter: known?.pinsCounter ?? 0,
      usedAt: Date.now(),
    });
  }
  setAntiForgeryToken(answer.anti_forgery_token);
  become({ state: 'in', person, keys });
}

/** The private key as it is kept at the platform: the password opens it. */
export async function wrappedKeyOf(personId: string): Promise<WrappedPrivateKey | undefined> {
  return (await readKeys(personId))?.wrapped;
}

/** The private key under the passkey by which the person signed in here. */
export async function passkeyCopyOf(personId: string): Promise<PasskeyCopy | undefined> {
  return (await readKeys(personId))?.byPasskey;
}

/** The second factor is asked: the code goes to `confirm`. */
export type SecondStep = { confirm: (second: { code: string } | { recovery_code: string }) => Promise<void> };

/** @returns the second step, where the person has a second factor */
export async function signIn(email: string, password: string): Promise<SecondStep | undefined> {
  const { loginSecret, wrapKey, version } = await derived(email, password);
  const goOn = async (answer: Entered) => {
    const keys = await onDevice('open', { wrapped: answer.encrypted_private_key, wrapKey });
    await enter(answer, keys, { wrapped: answer.encrypted_private_key, version });
  };
  try {
    const body = { ...BY_COOKIE, email, login_secret: loginSecret };
    await goOn(await call<Entered>('POST', '/api/person/login', body));
    return undefined;
  } catch (error) {
    const ticket = ticketOf(error);
    if (ticket === undefined) throw error;
    return {
      confirm: async (second) =>
        goOn(await call<Entered>('POST', '/api/person/login/second-factor', { ticket, ...second })),
    };
  }
}

function ticketOf(error: unknown): string | undefined {
  if (!(error instanceof AuthenticationError) || error.errorKey !== 'auth.two_factor_required')
    return undefined;
  const { ticket } = error.details;
  return typeof ticket === 'string' ? ticket : undefined;
}

/** Opens the person's keys in a browser that has a session but no keys. */
export async function unlock(password: string): Promise<SecondStep | undefined> {
  return current.state === 'in' ? signIn(current.person.email, password) : undefined;
}

/** An account that is being made. */
export type Registration = { ticket: string; made: MadeLogin; displayName: string };
export type Made = { recoveryCode: string; finish: () => Promise<void> };
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
  // A weak password is told before a code is mailed.
  const made = await makeLogin(input);
  if (isOneStep()) {
    const body = { ...BY_COOKIE, email, account: accountOf(made, displayName) };
    return madeAnswer(await call<Entered>('POST', '/api/person/register', body), made);
  }
  const { ticket } = await call<MailedTicket>('POST', '/api/person/register', { email });
  return { ticket, made, displayName };
}

/** The second step. */
export async function confirmRegistration(begun: Registration, code: string): Promise<Made> {
  const { ticket, made, displayName } = begun;
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
  const { recoverySecret, wrapKey } = await onDevice('recoverySecret', { code: input.recoveryCode });
  const proof = { email, recovery_secret: recoverySecret };
  type Found = { encrypted_private_key: WrappedPrivateKey };
  const { encrypted_private_key: wrapped } = await call<Found>('POST', '/api/person/recover/key', proof);
  const made = await onDevice('newCredentials', { wrapped, wrapKey, password, about: [email] });
  const body = { ...BY_COOKIE, ...proof, ...made.credentials, ...second };
  return madeAnswer(await call<Entered>('POST', '/api/person/recover', body), made);
}

export async function signOut(): Promise<void> {
  // Whatever the platform answers, this browser keeps nothing.
  await forgetKeys();
  try {
    await call('POST', '/api/person/sign-out');
  } finally {
    setAntiForgeryToken(undefined);
    become({ state: 'out' });
  }
}

/** The session has ended by what was done: this browser keeps nothing of it. */
export async function leave(): Promise<void> {
  await forgetKeys();
  setAntiForgeryToken(undefined);
  become({ state: 'out' });
}

/** Closed installations register in one step; the server says so in the page. */
function isOneStep(): boolean {
  return document.querySelector('meta[name="symbolon-registration"]')?.getAttribute('content') === 'one-step';
}
