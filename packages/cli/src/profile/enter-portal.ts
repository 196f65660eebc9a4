import type { Company, Service } from '@symbolon/protocol';
import { AuthenticationError, PortalClient } from '@symbolon/sdk/portal';
import { Problem } from '../problem.ts';
import { findProfile, type Profile } from './profile.ts';

/** The portal as a profile's company, and one of its services. */
export type Portal = {
  name: string;
  profile: Profile;
  client: PortalClient;
  company: Company;
  service: Service;
};

/**
 * Goes on with the session of a profile.
 *
 * @param wanted id or code of the service; else the profile's, else the only one
 * @throws Problem when the session has ended, or no service is meant
 */
export async function enterPortal(options: { profile?: string; service?: string }): Promise<Portal> {
  const { name, profile } = findProfile(options.profile);
  const { base_url: baseUrl, token, expires_at: expiresAt } = profile;
  const client = PortalClient.resume({ baseUrl, token, expiresAt });
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
  const service = await findService(client, options.service ?? profile.service_id);
  return { name, profile, client, company, service };
}

async function findService(client: PortalClient, wanted: string | undefined): Promise<Service> {
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
