import { optionsFromEnvironment, optionsFromFile } from '@symbolon/sdk';
import { Problem } from '../problem.ts';
import { findProfile } from './profile.ts';

/** An account the platform knows, by one of the ways in which the command finds a sign-in. */
export type Caller = {
  kind: 'data client' | 'account client' | 'portal session' | 'token';
  /** Where the sign-in was found, in words. */
  from: string;
  baseUrl: string;
  /** Where calls go, and the bearer token for them. */
  authorize(): Promise<{ base: string; token: string }>;
};
export type SignInOptions = { config?: string; profile?: string };

/**
 * The sign-in that is asked for; else that of the environment; else the session that `symbolon login` keeps.
 *
 * @throws Problem when there is none
 */
export function findCaller(options: SignInOptions): Caller {
  const { env } = process;
  if (options.config !== undefined && options.profile !== undefined) {
    throw new Problem('Give --config or --profile, not both.', { exitCode: 2 });
  }
  if (options.config !== undefined) return client(optionsFromFile(options.config), options.config);
  if (options.profile !== undefined) return session(options.profile);
  if (env.SYMBOLON_TOKEN) return bearer(env.SYMBOLON_TOKEN, env.SYMBOLON_URL);
  if (env.SYMBOLON_CONFIG || env.SYMBOLON_CLIENT_ID || env.SYMBOLON_CLIENT_SECRET) {
    return client(optionsFromEnvironment(env), env.SYMBOLON_CONFIG || 'the environment');
  }
  const { SYMBOLON_ACCOUNT_CLIENT_ID: id, SYMBOLON_ACCOUNT_CLIENT_SECRET: secret } = env;
  if (id || secret) {
    const named = { ...env, SYMBOLON_CLIENT_ID: id, SYMBOLON_CLIENT_SECRET: secret };
    return client(optionsFromEnvironment(named), 'the environment');
  }
  return session(undefined);
}

type Credentials = { url: string; clientId: string; clientSecret: string };

function client({ url, clientId, clientSecret }: Credentials, from: string): Caller {
  const baseUrl = url.replace(/\/+$/, '');
  return {
    kind: clientId.startsWith('acct_') ? 'account client' : 'data client',
    from,
    baseUrl,
    async authorize() {
      const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const body = new URLSearchParams(grant);
      const response = await reach(`${baseUrl}/oauth2/token`, { method: 'POST', body });
      const answer = await response.json().catch(() => undefined);
      if (response.ok && typeof answer?.access_token === 'string') {
        return { base: answer.api_url ?? baseUrl, token: answer.access_token };
      }
      const why = answer?.error_description ?? answer?.error ?? `status ${response.status}`;
      throw new Problem(`${clientId} got no token: ${why}`);
    },
  };
}

function session(name: string | undefined): Caller {
  const { name: found, profile } = findProfile(name);
  const baseUrl = profile.base_url.replace(/\/+$/, '');
  return {
    kind: 'portal session',
    from: `profile ${found}`,
    baseUrl,
    authorize: async () => ({ base: baseUrl, token: profile.token }),
  };
}

function bearer(token: string, url: string | undefined): Caller {
  if (!url) throw new Problem('SYMBOLON_TOKEN needs SYMBOLON_URL beside it.', { exitCode: 2 });
  const baseUrl = url.replace(/\/+$/, '');
  return {
    kind: 'token',
    from: 'SYMBOLON_TOKEN',
    baseUrl,
    authorize: async () => ({ base: baseUrl, token }),
  };
}

/** A request that follows no redirect, because it carries a secret. @throws Problem when nothing answers */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(60_000) });
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    const reason = cause?.code ?? (error as Error).message;
    throw new Problem(`${new URL(url).origin} does not answer (${reason}). Check the address.`, {
      cause: error,
    });
  }
}
