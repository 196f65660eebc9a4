import { followedBase, normalizeBase } from '@symbolon/protocol/constants';
import type { ApiClient, CompanyClient, TransportOptions } from '@symbolon/sdk/account';
import { Problem, unreachable } from '../problem.ts';
import { printable } from '../terminal/text.ts';
import { findProfile } from './profile.ts';

/** An account the platform knows, by one of the ways in which the command finds a sign-in. */
export type Caller = {
  kind: 'data client' | 'account client' | 'portal session' | 'token';
  /** Where the sign-in was found, in words. */
  from: string;
  baseUrl: string;
  /** The service that is meant when none is named. */
  serviceId?: string | undefined;
  /** Where calls go, and the bearer token for them. */
  authorize(): Promise<{ base: string; token: string }>;
  /** Makes calls, with retries and region moves. */
  open(options?: TransportOptions): Promise<ApiClient>;
  /** Acts for the company where more than a call is needed. @throws Problem for who cannot */
  openCompany(): Promise<CompanyClient>;
};
export type SignInOptions = { config?: string; profile?: string };
type Kinds = readonly Caller['kind'][];

/**
 * The sign-in that is asked for; else the first of the environment that can be used; else the session that `symbolon login`
 * keeps.
 *
 * @param usable the kinds that can make the call; all when it is left out
 * @throws Problem when there is none
 */
export async function findCaller(options: SignInOptions, usable: Kinds = ALL): Promise<Caller> {
  const { env } = process;
  if (options.config !== undefined && options.profile !== undefined) {
    throw new Problem('Give --config or --profile, not both.', { exitCode: 2 });
  }
  if (options.config !== undefined) {
    const { optionsFromFile } = await import('@symbolon/sdk');
    return checked(client(optionsFromFile(options.config), options.config), usable);
  }
  if (options.profile !== undefined) return checked(session(options.profile), usable);
  if (env.SYMBOLON_TOKEN && usable.includes('token')) return bearer(env.SYMBOLON_TOKEN, env.SYMBOLON_URL);
  if (env.SYMBOLON_CONFIG || env.SYMBOLON_CLIENT_ID || env.SYMBOLON_CLIENT_SECRET) {
    const { optionsFromEnvironment } = await import('@symbolon/sdk');
    const found = client(optionsFromEnvironment(env), env.SYMBOLON_CONFIG || 'the environment');
    if (usable.includes(found.kind)) return found;
  }
  if (
    usable.includes('account client') &&
    (env.SYMBOLON_ACCOUNT_CLIENT_ID || env.SYMBOLON_ACCOUNT_CLIENT_SECRET)
  ) {
    return client(await accountOfEnvironment(), 'the environment');
  }
  if (usable.includes('portal session')) return session(undefined);
  throw new Problem(`No client is configured that can do this. ${needed(usable)}`, { exitCode: 2 });
}

async function accountOfEnvironment() {
  const { accountCredentials } = await import('@symbolon/sdk/account');
  return accountCredentials(process.env);
}

/** @throws Problem for a sign-in that was asked for and cannot make the call */
function checked(caller: Caller, usable: Kinds): Caller {
  if (usable.includes(caller.kind)) return caller;
  throw new Problem(`${caller.from} has a ${caller.kind}. ${needed(usable)}`, { exitCode: 2 });
}

function needed(usable: Kinds): string {
  const kinds = usable.filter((kind) => kind !== 'token').map((kind) => WAYS[kind]);
  return `This takes ${kinds.join(', or ')}.`;
}

type Credentials = { url: string; clientId: string; clientSecret: string };

function client(credentials: Credentials, from: string): Caller {
  const { url, clientId, clientSecret } = credentials;
  const baseUrl = addressOf(url, from);
  const kind = clientId.startsWith('acct_') ? 'account client' : 'data client';
  return {
    kind,
    from,
    baseUrl,
    async authorize() {
      const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const body = new URLSearchParams(grant);
      const response = await reach(`${baseUrl}/oauth2/token`, { method: 'POST', body });
      const answer = await response.json().catch(() => undefined);
      if (response.ok && typeof answer?.access_token === 'string') {
        const { api_url: named, access_token: token } = answer;
        return { base: named === undefined ? baseUrl : followed(baseUrl, named), token };
      }
      const why = answer?.error_description ?? answer?.error ?? `status ${response.status}`;
      throw new Problem(`${clientId} got no token: ${why}`);
    },
    async open(options) {
      const { ApiClient } = await import('@symbolon/sdk/account');
      return ApiClient.ofClient({ ...options, url, clientId, clientSecret });
    },
    async openCompany() {
      if (kind === 'data client') throw noCompany(from);
      const { AccountClient } = await import('@symbolon/sdk/account');
      const recoveryKeyFingerprint = process.env.SYMBOLON_RECOVERY_KEY_FINGERPRINT || undefined;
      return new AccountClient({ url, clientId, clientSecret, recoveryKeyFingerprint });
    },
  };
}

function session(name: string | undefined): Caller {
  const { name: found, profile } = findProfile(name);
  const { token, expires_at: expiresAt, recovery_key_fingerprint: recoveryKeyFingerprint } = profile;
  const baseUrl = addressOf(profile.base_url, `profile ${found}`);
  return {
    kind: 'portal session',
    from: `profile ${found}`,
    baseUrl,
    serviceId: profile.service_id,
    authorize: async () => ({ base: baseUrl, token }),
    async open(options) {
      const { ApiClient } = await import('@symbolon/sdk/account');
      return ApiClient.ofToken({ ...options, baseUrl, token });
    },
    async openCompany() {
      const { PortalClient } = await import('@symbolon/sdk/portal');
      return PortalClient.resume({ baseUrl, token, expiresAt, recoveryKeyFingerprint });
    },
  };
}

function bearer(token: string, url: string | undefined): Caller {
  if (!url) throw new Problem('SYMBOLON_TOKEN needs SYMBOLON_URL beside it.', { exitCode: 2 });
  const baseUrl = addressOf(url, 'SYMBOLON_URL');
  return {
    kind: 'token',
    from: 'SYMBOLON_TOKEN',
    baseUrl,
    authorize: async () => ({ base: baseUrl, token }),
    async open(options) {
      const { ApiClient } = await import('@symbolon/sdk/account');
      return ApiClient.ofToken({ ...options, baseUrl, token });
    },
    openCompany: async () => {
      throw noCompany('SYMBOLON_TOKEN');
    },
  };
}

function noCompany(from: string): Problem {
  const text = `${from} cannot do this. It takes ${WAYS['account client']}, or ${WAYS['portal session']}.`;
  return new Problem(text, { exitCode: 2 });
}

/**
 * The address of the platform for a command that needs no client: of --url, else of SYMBOLON_URL, else the one that was kept, else
 * this machine.
 * @throws Problem for what cannot be one
 */
export function platformUrl(asked: string | undefined, kept?: string): string {
  if (asked !== undefined) return addressOf(asked, '--url');
  const { SYMBOLON_URL: set } = process.env;
  return set ? addressOf(set, 'SYMBOLON_URL') : addressOf(kept ?? USUAL_URL, 'the profile');
}

/** The address of a platform, without slashes at its end. @throws Problem for what cannot be one */
function addressOf(url: string, from: string): string {
  const base = normalizeBase(url);
  if (base !== undefined) return base;
  throw new Problem(
    `The address of the platform in ${from} is not a whole URL. Write it with its scheme, and without blanks, a user, a query or a part after #: https://api.example.com.`,
    { exitCode: 2 },
  );
}

/**
 * The address of the API that an answer names. A token goes out over plain http only where the address that was configured is such a one.
 * @throws Problem for another address
 */
export function followed(baseUrl: string, named: unknown): string {
  const base = followedBase(baseUrl, named);
  if (base !== undefined) return base;
  throw new Problem(
    `${baseUrl} names ${printable(String(named))} as the address of its API. No token is sent there: it is not https. The operator sets SYMBOLON_PUBLIC_URL to the address that clients use.`,
  );
}

/** A request that follows no redirect, because it carries a secret. @throws Problem when nothing answers */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(60_000) });
  } catch (error) {
    throw unreachable(new URL(url).origin, error);
  }
}

const USUAL_URL = 'http://127.0.0.1:8080';
const ALL: Kinds = ['data client', 'account client', 'portal session', 'token'];
const WAYS: Readonly<Record<Caller['kind'], string>> = {
  'data client': 'a data client (--config FILE, or SYMBOLON_CLIENT_ID and the other variables)',
  'account client':
    'an account client (--config FILE, or SYMBOLON_ACCOUNT_CLIENT_ID and the other variables)',
  'portal session': 'a session of the portal (symbolon login)',
  token: 'SYMBOLON_TOKEN',
};
