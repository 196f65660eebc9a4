import { AccountClient, type CompanyClient } from '@symbolon/sdk/account';
import { enterAccount } from '../profile/enter-portal.ts';

export type Common = { profile?: string; json?: boolean };

/** The account client that the environment names; else the portal login. */
export async function enterCompany(options: Common): Promise<CompanyClient> {
  return machineOf(options) ?? (await enterAccount(options)).client;
}

/** The account client that the environment names, when no login is asked for. */
export function machineOf({ profile }: Common): AccountClient | undefined {
  const { SYMBOLON_ACCOUNT_CLIENT_ID: id, SYMBOLON_ACCOUNT_CLIENT_SECRET: secret } = process.env;
  return (id || secret) && profile === undefined ? AccountClient.fromEnvironment() : undefined;
}
