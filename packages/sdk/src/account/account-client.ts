import { checkedUrl } from '../data/options.ts';
import { TokenSource } from '../data/token-source.ts';
import { Api } from '../http/api.ts';
import { Transport, type TransportOptions } from '../http/transport.ts';
import { CompanyClient } from './company-client.ts';
import { accountCredentials } from './environment.ts';
import { checkedFingerprint } from './recovery-key.ts';

export type AccountClientOptions = TransportOptions & {
  /** The front door, for example `https://symbolon.example`. */
  url: string;
  /** `acct_…` */
  clientId: string;
  clientSecret: string;
  /**
   * SHA-256 of the company's recovery key, 64 hexadecimal digits, from a person who has compared it. A client that creates
   * services or replaces their keys needs it: it seals passphrases to no other key.
   */
  recoveryKeyFingerprint?: string | undefined;
};

/**
 * A company's account for programs, within the capabilities of an account client (wire 5.5).
 *
 * The client handles tokens, region moves, rate limits and pauses. Every method throws {@link SymbolonError}, and outside
 * the capabilities ForbiddenError `auth.client_endpoint_forbidden`.
 *
 * @example
 * const account = AccountClient.fromEnvironment();
 * const { service, passphrase } = await account.createService({ name: 'Shop', adminEmail: 'ops@acme.example' });
 */
export class AccountClient extends CompanyClient {
  readonly #recoveryKeyFingerprint: string | undefined;

  /** @throws ConfigurationError `sdk.configuration` */
  constructor(options: AccountClientOptions) {
    const transport = new Transport(options);
    super(new Api(transport, new TokenSource(transport, checkedUrl(options.url), options)));
    this.#recoveryKeyFingerprint = checkedFingerprint(options.recoveryKeyFingerprint);
  }

  /**
   * A client configured by `SYMBOLON_URL`, `SYMBOLON_ACCOUNT_CLIENT_ID` and `SYMBOLON_ACCOUNT_CLIENT_SECRET`; and by
   * `SYMBOLON_RECOVERY_KEY_FINGERPRINT`, which a client that creates services needs.
   *
   * @throws ConfigurationError whose `details.missing` names what is not set
   */
  static fromEnvironment(env: Record<string, string | undefined> = process.env): AccountClient {
    return new AccountClient(accountCredentials(env));
  }

  protected async confirmedRecoveryKey(): Promise<string | undefined> {
    return this.#recoveryKeyFingerprint;
  }

  /** An account client proves nothing: its grants decide. */
  protected async proofHeaders(): Promise<Record<string, string>> {
    return {};
  }
}
