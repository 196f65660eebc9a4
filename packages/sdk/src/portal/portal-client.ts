import { encryptPrivateKey, generateKeyPair } from '@symbolon/crypto';
import type {
  AcceptInvitationRequest,
  AccountClient as AccountClientRow,
  AccountClientWithSecret,
  AccountKey,
  AccountPrivateKey,
  AccountPrivateKeyRequest,
  Capability,
  CreateAccountClientRequest,
  GrantedCapabilities,
  Invitation,
  MigrateRegionRequest,
  PortalRegisterRequest,
  PortalSecondFactorRequest,
  PortalSession,
  PortalSignInRequest,
  RegionMigration,
} from '@symbolon/protocol';
import { CompanyClient } from '../account/company-client.ts';
import { Api, path } from '../http/api.ts';
import { AuthenticationError } from '../http/errors.ts';
import { sendHome } from '../http/home.ts';
import { checkedBase, SignedInSession } from '../http/signed-in-session.ts';
import { jsonOf, Transport, type TransportOptions } from '../http/transport.ts';
import { type PortalProof, PortalSecurity, proofOf } from './security.ts';

export type PortalAccess = TransportOptions & { baseUrl: string; email: string; password: string };

/** A code of the authenticator app, or a recovery code. */
export type SecondFactor = ({ code: string } | { recoveryCode: string }) & {
  /** Skip the second factor on this device for thirty days: see {@link PortalClient.trustedDevice}. */
  trustDevice?: boolean;
};

export type PortalSessionToken = { token: string; expiresAt: string };

/** A company's portal account for programs. Keys are made and opened here (wire 2.2, 4.6). */
export class PortalClient extends CompanyClient {
  readonly #session: SignedInSession;

  /** The token for {@link PortalClient.resume}. Until it expires it is as powerful as the password. */
  readonly session: PortalSessionToken;

  /** Password, second factor, sessions and deletion, which only a portal login can manage. */
  readonly security: PortalSecurity;

  /** Replaces the second factor at the next sign-in when this device is trusted. Keep it safe. */
  readonly trustedDevice: PortalSessionToken | undefined;

  private constructor(
    transport: Transport,
    base: string,
    session: PortalSessionToken,
    trustedDevice?: PortalSessionToken,
  ) {
    const held = new SignedInSession(base, session.token);
    const api = new Api(transport, held);
    super(api);
    this.#session = held;
    this.session = session;
    this.security = new PortalSecurity(api);
    this.trustedDevice = trustedDevice;
  }

  /**
   * Registers a company. The recovery key pair is made here; its private half leaves only wrapped under the password.
   *
   * @throws ConflictError `account.email_taken`; InvalidRequestError `account.email_invalid`, `account.password_weak`
   */
  static async register(access: PortalAccess & { name: string }): Promise<PortalClient> {
    const { baseUrl, name, email, password } = access;
    const pair = await generateKeyPair();
    const recovery_key = {
      public_key: pair.publicKey,
      encrypted_private_key: await encryptPrivateKey(pair.privateKey, password),
    };
    pair.privateKey.fill(0);
    const json: PortalRegisterRequest = { name, email, password, recovery_key };
    return PortalClient.#enter(access, '/api/portal/register', baseUrl, json);
  }

  /**
   * @param access.secondFactor asked when the second factor is on; without it that is an AuthenticationError
   * @param access.trustedDevice token of a device that was trusted, on which it is not asked for
   * @throws AuthenticationError `auth.credentials_invalid`, `auth.two_factor_required`, `auth.second_factor_invalid`;
   * RateLimitError `auth.throttled`
   */
  static async signIn(
    access: PortalAccess & { secondFactor?: () => Promise<SecondFactor>; trustedDevice?: string },
  ): Promise<PortalClient> {
    const { baseUrl, email, password, secondFactor, trustedDevice } = access;
    const json: PortalSignInRequest = {
      email,
      password,
      ...(trustedDevice === undefined ? {} : { trusted_device: trustedDevice }),
    };
    try {
      return await PortalClient.#enter(access, '/api/portal/sign-in', baseUrl, json);
    } catch (error) {
      const asked = error instanceof AuthenticationError && error.errorKey === 'auth.two_factor_required';
      if (!asked || secondFactor === undefined) throw error;
      const given = await secondFactor();
      const step: PortalSecondFactorRequest = {
        ticket: String(error.details.ticket),
        ...('code' in given ? { code: given.code } : { recovery_code: given.recoveryCode }),
        trust_device: given.trustDevice ?? false,
      };
      return PortalClient.#enter(access, '/api/portal/sign-in/second-factor', baseUrl, step);
    }
  }

  /** What an invitation says. @throws NotFoundError `delegates.invitation_invalid` */
  static async invitation(
    access: TransportOptions & { baseUrl: string; token: string },
  ): Promise<Invitation> {
    const call = { method: 'POST', path: '/api/portal/invitation', json: { token: access.token } } as const;
    return jsonOf(await new Transport(access).send(checkedBase(access.baseUrl), call)) as Invitation;
  }

  /**
   * Accepts an invitation to a company's portal, and signs in.
   *
   * @throws NotFoundError `delegates.invitation_invalid`; InvalidRequestError `account.password_weak`; ConflictError
   * `account.email_taken`
   */
  static async acceptInvitation(
    access: TransportOptions & { baseUrl: string; token: string; name: string; password: string },
  ): Promise<PortalClient> {
    const { baseUrl, token, name, password } = access;
    const json: AcceptInvitationRequest = { token, name, password };
    return PortalClient.#enter(access, '/api/portal/invitation/accept', baseUrl, json);
  }

  /** Continues a stored session. The first call shows whether it is still valid. */
  static resume(access: TransportOptions & { baseUrl: string } & PortalSessionToken): PortalClient {
    const { token, expiresAt } = access;
    return new PortalClient(new Transport(access), checkedBase(access.baseUrl), { token, expiresAt });
  }

  static async #enter(
    options: TransportOptions,
    path: string,
    baseUrl: string,
    json: PortalRegisterRequest | PortalSignInRequest | PortalSecondFactorRequest | AcceptInvitationRequest,
  ): Promise<PortalClient> {
    const transport = new Transport(options);
    const { answer, base } = await sendHome(transport, checkedBase(baseUrl), { method: 'POST', path, json });
    const session = jsonOf(answer) as PortalSession;
    const { token, expires_at: expiresAt, trusted_device: device } = session;
    const trusted = device && { token: device.token, expiresAt: device.expires_at };
    return new PortalClient(transport, base, { token, expiresAt }, trusted);
  }

  /** Ends the session on the platform. The client cannot be used afterwards. */
  async signOut(): Promise<void> {
    await this.api.done({ method: 'POST', path: '/api/portal/sign-out' });
    this.#session.setToken(undefined);
  }

  /** The public half of the account key, to which the platform seals webhook envelopes. */
  accountPublicKey(): Promise<AccountKey> {
    return this.get('/api/account-key');
  }

  /**
   * The account key itself, for a webhook receiver. A session alone is not enough to get it.
   *
   * @throws AuthenticationError `auth.credentials_invalid`; RateLimitError `auth.throttled`
   */
  accountKey(password: string): Promise<AccountPrivateKey> {
    const json: AccountPrivateKeyRequest = { password };
    return this.api.json({ method: 'POST', path: '/api/account-key', json });
  }

  /**
   * Moves the company to another region. The company stays usable. At the end writing calls get `db.writes_paused` for a
   * moment; this library repeats them and then uses the new base URL.
   *
   * @param region a name that `GET /api/regions` of the front door tells
   * @throws InvalidRequestError `moves.region_unknown`; ConflictError `moves.same_region`, `moves.under_way`,
   * `account.deletion_pending`; AuthenticationError `auth.credentials_invalid`
   */
  migrateRegion(region: string, proof: PortalProof): Promise<RegionMigration> {
    const json: MigrateRegionRequest = { ...proofOf(proof), region };
    return this.api.json({ method: 'POST', path: '/api/profile/migrate-region', json });
  }

  /** The current or last move of the company; `null` when it never moved. */
  regionMigration(): Promise<RegionMigration | null> {
    return this.get('/api/profile/migrate-region');
  }

  /** The company's account clients, oldest first; never a secret. */
  async accountClients(): Promise<AccountClientRow[]> {
    return (await this.get<{ clients: AccountClientRow[] }>('/api/account/clients')).clients;
  }

  /**
   * Creates a client that acts for the company within its capabilities. Its secret is shown only once.
   *
   * @param input.purpose set now or never, one of its kind among the company's clients
   * @throws InvalidRequestError `account_clients.name_invalid`, `account_clients.purpose_invalid`,
   * `account_clients.purpose_reserved`; ConflictError `account_clients.purpose_taken`
   */
  createAccountClient(input: CreateAccountClientRequest): Promise<AccountClientWithSecret> {
    return this.api.json({ method: 'POST', path: '/api/account/clients', json: input });
  }

  /** The whole new set, in effect at once. @throws ConflictError `account_clients.purpose_managed` */
  grantCapabilities(clientId: string, capabilities: readonly Capability[]): Promise<GrantedCapabilities> {
    return this.put(path`/api/account/clients/${clientId}/capabilities`, { capabilities });
  }

  /** Makes a new secret, which is shown only once. Tokens of the old one end. */
  regenerateAccountClientSecret(clientId: string): Promise<AccountClientWithSecret> {
    const address = path`/api/account/clients/${clientId}/regenerate-secret`;
    return this.api.json({ method: 'POST', path: address });
  }

  /** Deletes a client; its tokens end at once. @throws NotFoundError `account_clients.not_found` */
  deleteAccountClient(clientId: string): Promise<void> {
    return this.api.done({ method: 'DELETE', path: path`/api/account/clients/${clientId}` });
  }
}
