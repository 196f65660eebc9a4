import { checkedUrl } from '../data/options.ts';
import { TokenSource } from '../data/token-source.ts';
import { Api } from '../http/api.ts';
import { ConfigurationError } from '../http/errors.ts';
import { Transport, type TransportOptions } from '../http/transport.ts';
import { CompanyClient } from './company-client.ts';

export type AccountClientOptions = TransportOptions & {
  /** The front door, for example `https://symbolon.example`. */
  url: string;
  /** `acct_…` */
  clientId: string;
  clientSecret: string;
};

/**
 * A company's account by machine: what an account client was granted, and nothing else (wire 5.5).
 *
 * Tokens, region moves, rate limits and pauses are taken care of. Every method throws {@link SymbolonError}; where the
 * capabilities do not reach, ForbiddenError `auth.client_endpoint_forbidden`.
 *
 * @example
 * const account = AccountClient.fromEnvironment();
 * const { service, passphrase } = await account.createService({ name: 'Shop', adminEmail: 'ops@acme.example' });
 */
export class AccountClient extends CompanyClient {
  /** @throws ConfigurationError `sdk.configuration` */
  constructor(options: AccountClientOptions) {
    const transport = new Transport(options);
    super(new Api(transport, new TokenSource(transport, checkedUrl(options.url), options)));
  }

  /**
   * A client configured by `SYMBOLON_URL`, `SYMBOLON_ACCOUNT_CLIENT_ID` and `SYMBOLON_ACCOUNT_CLIENT_SECRET`: names of
   * their own, for a program may well be a data client too.
   *
   * @throws ConfigurationError whose `details.missing` names what is not set
   */
  static fromEnvironment(env: Record<string, string | undefined> = process.env): AccountClient {
    const url = env.SYMBOLON_URL;
    const clientId = env.SYMBOLON_ACCOUNT_CLIENT_ID;
    const clientSecret = env.SYMBOLON_ACCOUNT_CLIENT_SECRET;
    if (url && clientId && clientSecret) return new AccountClient({ url, clientId, clientSecret });
    const missing = VARIABLES.filter((name) => !env[name]);
    const message = `Missing: ${missing.join(', ')}.`;
    throw new ConfigurationError({ errorKey: 'sdk.configuration', message, details: { missing } });
  }
}

const VARIABLES = ['SYMBOLON_URL', 'SYMBOLON_ACCOUNT_CLIENT_ID', 'SYMBOLON_ACCOUNT_CLIENT_SECRET'];
