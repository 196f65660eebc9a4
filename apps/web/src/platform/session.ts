import type { Person, WrappedPrivateKey } from '@symbolon/protocol';
import { AuthenticationError } from '@symbolon/sdk/device';
import { useSyncExternalStore } from 'react';
import { settings } from '../text/settings.ts';
import { isAway } from './away.ts';
import { type DeviceKeys, onDevice } from './device.ts';
import { forgetForms } from './forms.ts';
import { SESSION } from './inner/addresses.ts';
import { call, setAntiForgeryToken, whenActed, whenForeign, whenSignedOut } from './inner/api.ts';
import { dropKept, keepAnswer, keepFor, keptAnswer, newAnswersKey } from './inner/kept-answers.ts';
import {
  forgetKeys,
  type KeptKeys,
  keepKeys,
  type PasskeyCopy,
  readKeys,
  readLastKeys,
} from './inner/key-store.ts';
import { serviceWorkers } from './inner/site-worker.ts';
import { tabs } from './inner/tabs.ts';
import { lastOffline, noteUnanswered, whenOffline } from './offline.ts';
import { derived } from './presence.ts';
import { distrust, dropAnswers, outdateAll } from './queries.ts';

export type { PasskeyCopy } from './inner/key-store.ts';

export type SignedIn = {
  state: 'in';
  person: Person;
  /** Missing where this browser has a session but cannot open values: after a passkey without a key, or 12 idle hours. */
  keys: DeviceKeys | undefined;
};
/** Why a session has ended. `unheard`: here alone; the platform, which did not answer, hears of it later. */
type Why = 'signedOut' | 'ended' | 'unheard';
/** `other`: who has signed in here meanwhile, in another tab. `away`: unknown, because the platform did not answer. */
export type Session =
  | { state: 'unknown' }
  | { state: 'out'; why?: Why | undefined; other?: Person | undefined }
  | { state: 'away'; error: unknown }
  | SignedIn;

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
/** Another tab has signed in or out. */
const otherTabs = tabs<'changed' | 'left'>('symbolon session');

function become(next: Session): void {
  if (current.state === 'in' && !(next.state === 'in' && isSame(current, next))) dropAnswers('person');
  current = next.state === 'in' ? withOwnKey(next) : next;
  for (const listener of listeners) listener();
}

/** What is sealed for the person is sealed to the key that this device holds, and not to one that the platform names. */
const withOwnKey = ({ person, keys, ...rest }: SignedIn): SignedIn => ({
  ...rest,
  person: keys === undefined ? person : { ...person, public_key: keys.publicKey },
  keys,
});

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
  if (!hasAsked) listen();
  hasAsked = true;
  try {
    const { person, token } = await whoIsIn();
    setAntiForgeryToken(token);
    if (isLeaving()) return await signOut();
    const keys = await readKeys(person.person_user_id);
    await keepAnswersOf(person, keys);
    become({ state: 'in', person, keys });
  } catch (error) {
    if (isAway(error)) return become((await lastSession()) ?? { state: 'away', error });
    const isKnown = (await readLastKeys()) !== undefined;
    if (error instanceof AuthenticationError) await forget();
    become({ state: 'out', why: isKnown ? 'ended' : undefined });
  }
}

function listen(): void {
  whenActed(() => distrust('person'));
  // The keys may be those of a newer sign-in, in another tab: they stay until it is asked who is signed in.
  whenSignedOut(() => {
    if (current.state !== 'in') return;
    void dropKept();
    become({ state: 'out', why: 'ended' });
  });
  whenForeign(async () => (await stillIn()) !== undefined);
  otherTabs.hear((what) => {
    if (what === 'left') forgetForms();
    void look();
  });
  whenOffline(() => lastOffline() === undefined && goOn());
  // From now on the pages open without a network: what is shown is read again, and kept.
  serviceWorkers()?.addEventListener('controllerchange', goOn);
}

async function whoIsIn(): Promise<{ person: Person; token: string | undefined }> {
  type Current = { anti_forgery_token: string | null; person: Person };
  const { anti_forgery_token: token, person } = await call<Current>('GET', SESSION);
  return { person, token: token ?? undefined };
}

/** The person of this page, whose session goes on; a page never becomes that of another person by itself. */
async function stillIn(): Promise<Person | undefined> {
  if (current.state !== 'in') return undefined;
  const { person: before } = current;
  const { person, token } = await whoIsIn();
  if (current.state !== 'in' || current.person.person_user_id !== before.person_user_id) return undefined;
  if (person.person_user_id !== before.person_user_id) {
    keepFor(undefined);
    setAntiForgeryToken(undefined);
    become({ state: 'out', other: person });
    return undefined;
  }
  setAntiForgeryToken(token);
  return person;
}

/** Looks who is signed in, after another tab has changed that. */
async function look(): Promise<void> {
  try {
    if (current.state === 'in') await stillIn();
    else if (current.state === 'out') become({ ...current, other: (await whoIsIn()).person });
  } catch (error) {
    if (current.state === 'out' && error instanceof AuthenticationError)
      become({ ...current, other: undefined });
  }
}

/** The platform answers again: the session may have ended meanwhile, and what is shown may be outdated. */
async function goOn(): Promise<void> {
  if (isLeaving()) return resume();
  if (current.state !== 'in') return;
  const { person: before, keys } = current;
  try {
    const person = await stillIn();
    if (person === undefined) return;
    await keepAnswersOf(person, await readKeys(person.person_user_id));
    // The same keys: what is opened with them is kept under them.
    if (JSON.stringify(person) !== JSON.stringify(before)) become({ state: 'in', person, keys });
    outdateAll('person');
  } catch {
    // A session that has ended was noticed by the call. Without an answer, the next one that comes leads here again.
  }
}

/** From now on answers to the person are kept for reading without a network, as long as the keys are. */
async function keepAnswersOf(person: Person, kept: KeptKeys | undefined): Promise<void> {
  keepFor(undefined);
  if (kept === undefined) return;
  const answersKey = kept.answersKey ?? (await newAnswersKey());
  if (kept.answersKey === undefined) await keepKeys({ ...kept, answersKey });
  keepFor({ personId: kept.personId, answersKey });
  await keepAnswer(SESSION, new TextEncoder().encode(JSON.stringify(person)));
}

/** Whoever was signed in here when the platform last answered; undefined where nothing that was kept can be opened. */
async function lastSession(): Promise<SignedIn | undefined> {
  const kept = await readLastKeys().catch(() => undefined);
  if (kept?.answersKey === undefined || isLeaving()) return undefined;
  keepFor({ personId: kept.personId, answersKey: kept.answersKey });
  const answer = await keptAnswer(SESSION);
  if (answer === undefined) return undefined;
  noteUnanswered(answer.at);
  return { state: 'in', person: JSON.parse(new TextDecoder().decode(answer.bytes)), keys: kept };
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
  await forget();
  if (keys !== undefined) {
    const kept: KeptKeys = {
      ...keys,
      personId,
      wrapped: byPassword?.wrapped,
      byPasskey,
      loginVersion: byPassword?.version ?? known?.loginVersion ?? 0,
      pinsCounter: known?.pinsCounter ?? 0,
      answersKey: await newAnswersKey(),
      usedAt: Date.now(),
    };
    await keepKeys(kept);
    await keepAnswersOf(person, kept);
  }
  setAntiForgeryToken(answer.anti_forgery_token);
  become({ state: 'in', person, keys });
  otherTabs.tell('changed');
}

/** The person has another name or address now. */
export function renamed(person: Person): void {
  if (current.state === 'in') become({ ...current, person });
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

/** The person has signed out here, and the platform has not heard of it. */
const LEAVING = 'symbolon.leaving';
const isLeaving = () => settings.read(LEAVING) !== undefined;

/** This browser keeps nothing of the person. */
async function forget(): Promise<void> {
  settings.drop(LEAVING);
  await forgetKeys();
}

export async function signOut(): Promise<void> {
  // Whatever the platform answers, this browser keeps nothing.
  await forget();
  let why: Why = 'signedOut';
  try {
    await call('POST', '/api/person/sign-out');
  } catch (error) {
    if (!isAway(error)) throw error;
    // The cookie goes with the session alone, which ends as soon as the platform answers.
    settings.keep(LEAVING, 'true');
    why = 'unheard';
  } finally {
    forgetForms();
    setAntiForgeryToken(undefined);
    become({ state: 'out', why });
    otherTabs.tell('left');
  }
}

/** The session has ended by what was done: this browser keeps nothing of it. */
export async function leave(): Promise<void> {
  forgetForms();
  await forget();
  setAntiForgeryToken(undefined);
  become({ state: 'out' });
  otherTabs.tell('left');
}

/** Closed installations register in one step; the server says so in the page. */
export function isOneStep(): boolean {
  return document.querySelector('meta[name="symbolon-registration"]')?.getAttribute('content') === 'one-step';
}
