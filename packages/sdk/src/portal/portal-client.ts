import {
  type CryptoKey,
  decryptPem,
  derivePinsKey,
  derivePublicKey,
  encodeBase64,
  fingerprint,
  importPrivateKey,
} from '@symbolon/crypto';
import type {
  AccountClient as AccountClientRow,
  AccountClientWithSecret,
  AccountKey,
  AccountPrivateKey,
  AccountPrivateKeyRequest,
  ActProof,
  ActProofRequest,
  Capability,
  ClientUse,
  CreateAccountClientRequest,
  GrantedCapabilities,
  Invitation,
  MigrateRegionRequest,
  RegionMigration,
} from '@symbolon/protocol';
import { CompanyClient } from '../account/company-client.ts';
import { checkedFingerprint } from '../account/recovery-key.ts';
import { Reference } from '../data/reference.ts';
import { Api, path } from '../http/api.ts';
import { checkedBase, SignedInSession } from '../http/signed-in-session.ts';
import { jsonOf, Transport, type TransportOptions } from '../http/transport.ts';
import { Pins } from '../login/pins.ts';
import type { AskCode } from '../login/registration.ts';
import { DEFAULT_HEADER_NAME } from '../webhooks/headers.ts';
import { CustomerDocuments } from './customer-documents.ts';
import {
  acceptInvitation,
  type Entered,
  type PortalAccess,
  type PortalOptions,
  type PortalSessionToken,
  recover,
  register,
  reset,
  type SignInAccess,
  signIn,
} from './enter.ts';
import { PortalLogin, type PortalProof } from './portal-login.ts';
import { RecoveryClient } from './recovery.ts';
import { RunDocuments } from './run-documents.ts';
import { PortalSecurity } from './security.ts';

/**
 * A company's portal account for programs. Keys are made and opened here (wire 2.2, 4.6); the password is not sent, and not
 * kept.
 */
export class PortalClient extends CompanyClient {
  readonly #session: SignedInSession;
  readonly #login: PortalLogin;
  readonly #headerName: string;
  readonly #pins: Pins;
  #recoveryKeyFingerprint: string | undefined;

  /** The token for {@link PortalClient.resume}. Until it expires it is as powerful as the password. */
  readonly session: PortalSessionToken;

  /** Password, second factor, sessions and deletion, which only a portal login can manage. */
  readonly security: PortalSecurity;

  /** What other companies' services gave to the company as their customer. */
  readonly customerDocuments: CustomerDocuments;

  /** The company's own copies of documents of its runs. */
  readonly runDocuments: RunDocuments;

  /** The recovery key: who may open it, and what it opens. */
  readonly recovery: RecoveryClient;

  /** Replaces the second factor at the next sign-in when this device is trusted. Keep it safe. */
  readonly trustedDevice: PortalSessionToken | undefined;

  private constructor(entered: Entered, options: Partial<PortalOptions>) {
    const held = new SignedInSession(entered.base, entered.session.token);
    const api = new Api(entered.transport, held);
    super(api);
    this.#session = held;
    this.#login = new PortalLogin(api, entered.held);
    this.#headerName = options.headerName ?? DEFAULT_HEADER_NAME;
    this.#recoveryKeyFingerprint =
      checkedFingerprint(options.recoveryKeyFingerprint) ?? entered.recoveryKeyFingerprint;
    this.session = entered.session;
    this.trustedDevice = entered.trustedDevice;
    this.security = new PortalSecurity(api, this.#login);
    const reference = new Reference(api);
    this.customerDocuments = new CustomerDocuments(api, this.#login, () => reference.registry());
    this.runDocuments = new RunDocuments(api, this.#login);
    this.recovery = new RecoveryClient(api, this.#login, () => this.recoveryKeyFingerprint());
    const pinsKey = async () => derivePinsKey(this.#login.held.pkcs8);
    const lastCounter = options.lastPinsCounter;
    this.#pins = new Pins(api, { address: '/api/account/pins', pinsKey, lastCounter });
  }

  /**
   * Registers a company. The keys are made here, and their private halves leave only wrapped. The recovery code is shown
   * once: it is the only way back after a lost password.
   *
   * @param access.code asks for the code that is mailed to the address. Without it the company is registered in one step,
   * which only closed installations allow
   * @throws InvalidRequestError `sdk.password_weak`, `account.email_invalid`; AuthenticationError `account.code_invalid`;
   * ForbiddenError `account.confirmation_required`
   */
  static async register(
    access: PortalAccess & { name: string; code?: AskCode },
  ): Promise<{ client: PortalClient; recoveryCode: string }> {
    const { entered, recoveryCode } = await register(access);
    const client = new PortalClient(entered, access);
    // Not worth losing the recovery code for: without it the key is confirmed at the next sign-in.
    await client.#pin(entered.recoveryKeyFingerprint).catch(() => undefined);
    return { client, recoveryCode };
  }

  /**
   * @param access.secondFactor asked when the second factor is on; without it that is an AuthenticationError
   * @param access.trustedDevice token of a device that was trusted, on which it is not asked for
   * @param access.lastVersion {@link PortalClient.loginVersion} of the last sign-in, where the device remembers it
   * @throws AuthenticationError `auth.credentials_invalid`, `auth.two_factor_required`, `auth.second_factor_invalid`,
   * `sdk.login_version_lowered`; RateLimitError `auth.throttled`
   */
  static async signIn(access: SignInAccess): Promise<PortalClient> {
    return new PortalClient(await signIn(access), access);
  }

  /** What an invitation says. @throws NotFoundError `delegates.invitation_invalid` */
  static async invitation(
    access: TransportOptions & { baseUrl: string; token: string },
  ): Promise<Invitation> {
    const call = { method: 'POST', path: '/api/portal/invitation', json: { token: access.token } } as const;
    return jsonOf(await new Transport(access).send(checkedBase(access.baseUrl), call)) as Invitation;
  }

  /**
   * Accepts an invitation to a company's portal with a key pair that is made here, and signs in. The recovery code is shown
   * once.
   *
   * @throws NotFoundError `delegates.invitation_invalid`; InvalidRequestError `sdk.password_weak`
   */
  static async acceptInvitation(
    access: PortalOptions & { token: string; name: string; password: string },
  ): Promise<{ client: PortalClient; recoveryCode: string }> {
    const { entered, recoveryCode } = await acceptInvitation(access);
    return { client: new PortalClient(entered, access), recoveryCode };
  }

  /**
   * Sets a new password with the recovery code. That code is void afterwards; the new one is shown once. All sessions end:
   * sign in afterwards, with the second factor when it is on.
   *
   * @throws AuthenticationError `account.recovery_invalid`; InvalidRequestError `sdk.password_weak`,
   * `sdk.recovery_code_malformed`
   */
  static recover(
    access: PortalOptions & { email: string; recoveryCode: string; newPassword: string },
  ): Promise<{ recoveryCode: string }> {
    return recover(access);
  }

  /**
   * Gives a login that was made before passwords stayed on the device a new password and new keys, by a mailed code. For the
   * company's own login the recovery key is replaced too, and the copies under the former one are deleted: its fingerprint is
   * returned for {@link confirmRecoveryKey} after the sign-in.
   *
   * @throws AuthenticationError `account.code_invalid`; InvalidRequestError `sdk.password_weak`
   */
  static reset(
    access: PortalOptions & { email: string; newPassword: string; code: AskCode },
  ): Promise<{ recoveryCode: string; recoveryKeyFingerprint: string | undefined }> {
    return reset(access);
  }

  /**
   * Continues a stored session. The first call shows whether it is still valid. Such a client does not have the login's key:
   * what needs it is a DecryptionError `sdk.key_locked`.
   */
  static resume(access: PortalOptions & PortalSessionToken): PortalClient {
    const { token, expiresAt } = access;
    const base = checkedBase(access.baseUrl);
    return new PortalClient(
      { transport: new Transport(access), base, session: { token, expiresAt } },
      access,
    );
  }

  /** Which recipe derives the login keys. A device that keeps it gives it to the next `signIn`. */
  get loginVersion(): number | undefined {
    return this.#login.version;
  }

  /**
   * The fingerprint of this login's own key. Read its words (`fingerprintWords`) to the person who shares the recovery key.
   *
   * @throws DecryptionError `sdk.key_locked` for a resumed session
   */
  async keyFingerprint(): Promise<string> {
    return fingerprint(await derivePublicKey(this.#login.held.pkcs8));
  }

  /** Of the list of confirmed keys. A device that keeps it gives it to the next `signIn`, which then refuses an older list. */
  get pinsCounter(): number {
    return this.#pins.counter;
  }

  /**
   * The fingerprint of the recovery key that this client seals passphrases to: given at the sign-in, or confirmed by this
   * login before. `undefined` when none is confirmed.
   *
   * @throws DecryptionError `sdk.pins_tampered`, `sdk.pins_outdated`
   */
  async recoveryKeyFingerprint(): Promise<string | undefined> {
    if (this.#recoveryKeyFingerprint !== undefined || !this.#login.isHeld)
      return this.#recoveryKeyFingerprint;
    return (await this.#pins.all())[RECOVERY_KEY];
  }

  /**
   * Confirms the recovery key after its fingerprint or its words were compared over another channel. It is remembered for all
   * devices of this login; a resumed client remembers it for itself alone.
   */
  async confirmRecoveryKey(sha256: string): Promise<void> {
    this.#recoveryKeyFingerprint = checkedFingerprint(sha256);
    if (this.#login.isHeld) await this.#pin(this.#recoveryKeyFingerprint);
  }

  /** Ends the session on the platform. The client cannot be used afterwards. */
  async signOut(): Promise<void> {
    await this.api.done({ method: 'POST', path: '/api/portal/sign-out' });
    this.#session.setToken(undefined);
    this.#login.clear();
  }

  /** The public half of the account key, to which the platform seals webhook envelopes. */
  accountPublicKey(): Promise<AccountKey> {
    return this.get('/api/account-key');
  }

  /**
   * The account key itself as an encrypted PKCS#8 PEM, for a webhook receiver.
   *
   * @param passphrase encrypts the PEM; at least 12 characters
   * @throws AuthenticationError `auth.credentials_invalid`; ForbiddenError `auth.role_forbidden` below admin; RateLimitError
   * `auth.throttled`
   */
  async accountKey(proof: PortalProof, passphrase: string): Promise<AccountPrivateKey> {
    const json: AccountPrivateKeyRequest = { ...(await this.#login.proof(proof)), passphrase };
    return this.api.json({ method: 'POST', path: '/api/account-key', json });
  }

  /**
   * The account key, opened on this device: what is sealed for the company as a customer opens by it. It cannot be exported.
   *
   * @throws as `accountKey`
   */
  async openAccountKey(proof: PortalProof): Promise<CryptoKey> {
    const passphrase = encodeBase64(globalThis.crypto.getRandomValues(new Uint8Array(24)));
    const { private_key_pem: pem } = await this.accountKey(proof, passphrase);
    return importPrivateKey(await decryptPem(pem, passphrase));
  }

  /**
   * Moves the company to another region. The company stays usable. At the end writing calls get `db.writes_paused` for a
   * moment; this library repeats them and then uses the new base URL.
   *
   * @param region a name that `GET /api/regions` of the front door tells
   * @throws InvalidRequestError `moves.region_unknown`; ConflictError `moves.same_region`, `moves.under_way`,
   * `account.deletion_pending`; AuthenticationError `auth.credentials_invalid`
   */
  async migrateRegion(region: string, proof: PortalProof): Promise<RegionMigration> {
    const json: MigrateRegionRequest = { ...(await this.#login.proof(proof)), region };
    return this.api.json({ method: 'POST', path: '/api/profile/migrate-region', json });
  }

  /** The current or last move of the company; `null` when it never moved. */
  regionMigration(): Promise<RegionMigration | null> {
    return this.get('/api/profile/migrate-region');
  }

  /**
   * When data clients, account clients and sign-in apps last obtained a token, to the hour: what a secret is still used for. One that was
   * made before the platform kept this is missing until its next use.
   */
  async clientUses(): Promise<ClientUse[]> {
    return (await this.get<{ items: ClientUse[] }>('/api/account/client-uses')).items;
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

  protected confirmedRecoveryKey(): Promise<string | undefined> {
    return this.recoveryKeyFingerprint();
  }

  protected async proofHeaders(address: string, proof: PortalProof): Promise<Record<string, string>> {
    const json: ActProofRequest = { ...(await this.#login.proof(proof)), for: `GET ${address}` };
    const given = await this.api.json<ActProof>({ method: 'POST', path: '/api/account/proofs', json });
    return { [`X-${this.#headerName}-Proof`]: given.proof };
  }

  async #pin(sha256: string | undefined): Promise<void> {
    if (sha256 !== undefined) await this.#pins.confirm({ [RECOVERY_KEY]: sha256 });
  }
}

/** Among the confirmed keys of a login. */
const RECOVERY_KEY = 'recovery key';
