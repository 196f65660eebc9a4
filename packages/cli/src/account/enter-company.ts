import { AccountClient, type CompanyClient } from '@symbolon/sdk/account';
import { enterAccount } from '../profile/enter-portal.ts';

export type Common = { profile?: string; json?: boolean };

/** The account client that the environment names; else the portal login. */
export async function enterCompany(options: Common): Promise<CompanyClient> {
  const { SYMBOLON_ACCOUNT_CLIENT_ID: id, SYMBOLON_ACCOUNT_CLIENT_SECRET: secret } = process.env;
  if ((id || secret) && options.profile === undefined) return AccountClient.fromEnvironment();
  return (await enterAccount(options)).client;
}
