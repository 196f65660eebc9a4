import type { Company, Service } from '@symbolon/protocol';
import type { CompanyClient } from '@symbolon/sdk/account';
import { AuthenticationError, PortalClient } from '@symbolon/sdk/portal';
import { Problem } from '../problem.ts';
import { findProfile, type Profile } from './profile.ts';

/** The portal as a profile's company. */
export type Account = { name: string; profile: Profile; client: PortalClient; company: Company };
/** The portal as a profile's company, and one of its services. */
export type Portal = Account & { service: Service };

/** Goes on with the session of a profile. @throws Problem when the session has ended */
export async function enterAccount(options: { profile?: string }): Promise<Account> {
  const { name, profile } = findProfile(options.profile);
  const { base_url: baseUrl, token, expires_at: expiresAt } = profile;
  const recoveryKeyFingerprint = profile.recovery_key_fingerprint;
  const client = PortalClient.resume({ baseUrl, token, expiresAt, recoveryKeyFingerprint });
  let company: Company;
  try {
    company = await client.account();
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    throw new Problem(
      `The session of the profile ${name} has ended. Sign in again: symbolon login --profile ${name}`,
      { exitCode: 2, cause: error },
    );
  }
  return { name, profile, client, company };
}

/**
 * Goes on with the session of a profile, for one of its services.
 *
 * @param options.service id or code of the service; else the profile's, else the only one
 * @throws Problem when the session has ended, or no service is meant
 */
export async function enterPortal(options: { profile?: string; service?: string }): Promise<Portal> {
  const account = await enterAccount(options);
  const service = await findService(account.client, options.service ?? account.profile.service_id);
  return { ...account, service };
}

/** @param wanted id or code; else the only one is meant. @throws Problem when no service is meant */
export async function findService(
  client: Pick<CompanyClient, 'services'>,
  wanted: string | undefined,
): Promise<Service> {
  const { items } = await client.services({ limit: 500 });
  const found =
    wanted === undefined
      ? items.length === 1 && items[0]
      : items.find(({ id, share_code }) => id === wanted || share_code === wanted.toUpperCase());
  if (found) return found;
  const names = items.slice(0, NAMED_MOST).map(({ share_code, name }) => `${share_code} (${name})`);
  const choice = names.length === 0 ? 'The company has no service yet.' : `It has ${names.join(', ')}.`;
  throw new Problem(
    wanted === undefined
      ? `Say which service with --service. ${choice}`
      : `The company has no service ${wanted}. ${choice}`,
    { exitCode: 2 },
  );
}

const NAMED_MOST = 10;
