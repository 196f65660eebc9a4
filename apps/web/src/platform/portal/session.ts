import type {
  CurrentSession,
  LoginParameters,
  PortalCookieSession,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { AuthenticationError } from '@symbolon/sdk/device';
import { useSyncExternalStore } from 'react';
import { isAway } from '../away.ts';
import { onDevice } from '../device.ts';
import { forgetPortalForms } from '../forms.ts';
import { tabs } from '../inner/tabs.ts';
import { distrust, dropAnswers } from '../queries.ts';
import type { SecondStep } from '../session.ts';
import {
  PORTAL_SESSION,
  portalCall,
  setPortalToken,
  whenFactorIsMissing,
  whenPortalActed,
  whenPortalEnds,
  whenPortalForeign,
} from './inner/api.ts';
import { forgetLoginKey, keepLoginKey } from './inner/kept-key.ts';

export type PortalSignedIn = Who & {
  readonly state: 'in';
  /** Nothing is done before a second factor is set up: the company requires one. */
  readonly lacksFactor: boolean;
};
type Who = Pick<CurrentSession, 'company' | 'login'>;
/** `other`: who has signed in here meanwhile, in another tab. */
export type PortalState =
  | { readonly state: 'unknown' }
  | { readonly state: 'out'; readonly other?: Who | undefined }
  | { readonly state: 'away'; readonly error: unknown }
  | PortalSignedIn;

let current: PortalState = { state: 'unknown' };
let hasAsked = false;
const listeners = new Set<() => void>();
/** Another tab has signed a login in or out. */
const otherTabs = tabs<'changed' | 'left'>('symbolon portal session');

function become(next: PortalState): void {
  if (current.state === 'in' && next.state !== 'in') dropAnswers('portal');
  // What is kept of the other one is not this page's to forget.
  if (next.state === 'out' && next.other === undefined) void forgetLoginKey();
  current = next;
  for (const listener of listeners) listener();
}

/** Who is signed in to the portal here. The first page of the portal asks. */
export function usePortalSession(): PortalState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      if (!hasAsked) {
        hasAsked = true;
        resume();
      }
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** Calls back when the login is signed out, here or by the platform. */
export function whenSignedOutOfPortal(forget: () => void): void {
  listeners.add(() => current.state === 'out' && forget());
}

let isListening = false;
function listen(): void {
  if (isListening) return;
  isListening = true;
  whenPortalActed(() => distrust('portal'));
  whenPortalEnds(() => current.state === 'in' && become({ state: 'out' }));
  whenPortalForeign(isStillIn);
  whenFactorIsMissing(
    () => current.state === 'in' && !current.lacksFactor && become({ ...current, lacksFactor: true }),
  );
  otherTabs.hear((what) => {
    if (what === 'left') forgetPortalForms();
    void look();
  });
}

const whoIsIn = () => portalCall<CurrentSession>('GET', PORTAL_SESSION);

/** A session of this page's own login goes on; a page never becomes that of another one by itself. */
async function isStillIn(): Promise<boolean> {
  if (current.state !== 'in') return false;
  const { id } = current.login;
  const found = await whoIsIn();
  if (current.state !== 'in' || current.login.id !== id) return false;
  if (found.login.id !== id) {
    setPortalToken(undefined);
    become({ state: 'out', other: found });
    return false;
  }
  setPortalToken(found.anti_forgery_token ?? undefined);
  return true;
}

/** Looks who is signed in, after another tab has changed that. */
async function look(): Promise<void> {
  try {
    if (current.state === 'in') await isStillIn();
    else if (current.state === 'out') become({ state: 'out', other: await whoIsIn() });
  } catch (error) {
    if (current.state === 'out' && error instanceof AuthenticationError) become({ state: 'out' });
  }
}

async function resume(): Promise<void> {
  listen();
  try {
    const session = await whoIsIn();
    enter(session.anti_forgery_token ?? undefined, session);
  } catch (error) {
    if (current.state === 'unknown') become(isAway(error) ? { state: 'away', error } : { state: 'out' });
  }
}

/** Asks again, after the platform could not be reached, or another login has signed in here. */
export function resumePortal(): Promise<void> {
  become({ state: 'unknown' });
  return resume();
}

/** @param who of a session that was just opened the first call says whether a second factor is missing */
function enter(token: string | undefined, who: Who & Partial<CurrentSession>) {
  const { company, login, second_factor_missing: lacksFactor = false } = who;
  setPortalToken(token);
  become({ state: 'in', company, login, lacksFactor });
}

type Opened = Omit<PortalCookieSession, 'encrypted_private_key'> & {
  /** Null after a sign-in by a passkey. */
  encrypted_private_key: WrappedPrivateKey | null;
};

/** Lets a login in, and keeps its private key as its password wraps it: a new password wraps it again. */
export async function enterPortal(opened: Opened): Promise<void> {
  const { encrypted_private_key: wrapped, login } = opened;
  if (wrapped !== null) await keepLoginKey(login.id, wrapped);
  enter(opened.anti_forgery_token, opened);
  otherTabs.tell('changed');
}

/** @returns the second step, where the login has a second factor */
export async function signInToPortal(email: string, password: string): Promise<SecondStep | undefined> {
  const parameters = await portalCall<LoginParameters>('POST', '/api/portal/login/parameters', { email });
  const { loginSecret } = await onDevice('loginSecret', { parameters, password });
  const goOn = async (path: string, body: object) => {
    await enterPortal(await portalCall('POST', path, body));
  };
  try {
    await goOn('/api/portal/sign-in', { session: 'cookie', email, login_secret: loginSecret });
    return undefined;
  } catch (error) {
    const asked = error instanceof AuthenticationError && error.errorKey === 'auth.two_factor_required';
    const ticket = asked ? error.details.ticket : undefined;
    if (typeof ticket !== 'string') throw error;
    return {
      confirm: (second) => goOn('/api/portal/sign-in/second-factor', { ticket, ...second }),
    };
  }
}

export async function signOutOfPortal(): Promise<void> {
  try {
    await portalCall('POST', '/api/portal/sign-out');
  } finally {
    forgetPortalForms();
    setPortalToken(undefined);
    become({ state: 'out' });
    otherTabs.tell('left');
  }
}

const RANK = ['viewer', 'support', 'developer', 'admin', 'owner'];

/** Whether a login may do what this role may. */
export const mayAs = ({ login }: PortalSignedIn, role: Needed) => isAtLeast(login.role, role);

export const isAtLeast = (role: PortalSignedIn['login']['role'], needed: Needed) =>
  RANK.indexOf(role) >= RANK.indexOf(needed);

type Needed = 'owner' | 'admin' | 'developer' | 'support';
