import {
  createServiceKey,
  decryptPrivateKey,
  encryptPrivateKey,
  generateKeyPair,
  importPrivateKey,
  openText,
  sealValue,
} from '@symbolon/crypto';
import type {
  AccountKey,
  AccountPrivateKey,
  AccountPrivateKeyRequest,
  Audience,
  Company,
  CreateServiceRequest,
  DataClient,
  DataClientWithSecret,
  PortalRegisterRequest,
  PortalSession,
  PortalSignInRequest,
  PublishRequestFieldsRequest,
  PublishShareFieldsRequest,
  RecoveryCopy,
  RecoveryKeyView,
  RequestFieldConfig,
  RequestFieldInput,
  Service,
  ServicePrivateKey,
  ShareFieldConfig,
  Webhook,
  WebhookRequest,
  WebhookTest,
  WebhookWithSecret,
} from '@symbolon/protocol';
import { Api, path } from '../http/api.ts';
import { checkedBase, HeldSession } from '../http/held-session.ts';
import { openingKey } from '../http/opening-key.ts';
import { jsonOf, Transport, type TransportOptions } from '../http/transport.ts';

export type PortalAccess = TransportOptions & { baseUrl: string; email: string; password: string };

export type PortalSessionToken = { token: string; expiresAt: string };

/** A service just created, with what is shown only once. Keep the passphrase: without it no value can be read. */
export type CreatedService = { service: Service; passphrase: string; pem: string };

/** A secret out of the recovery copies. */
export type RecoveredSecret = {
  kind: RecoveryCopy['kind'];
  serviceId: string;
  clientId: string | null;
  secret: string;
  createdAt: string;
};

/** A company's account by program: what the portal does, with the cryptography on this side (spec 2.2, 4.6). */
export class PortalClient {
  readonly #api: Api;
  readonly #session: HeldSession;

  /** What {@link PortalClient.resume} goes on with: as good as the password until it expires, so keep it as safe. */
  readonly session: PortalSessionToken;

  private constructor(transport: Transport, base: string, session: PortalSessionToken) {
    this.#session = new HeldSession(base, session.token);
    this.#api = new Api(transport, this.#session);
    this.session = session;
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

  /** @throws AuthenticationError `auth.credentials_invalid`; RateLimitError `auth.throttled` */
  static async signIn(access: PortalAccess): Promise<PortalClient> {
    const { baseUrl, email, password } = access;
    const json: PortalSignInRequest = { email, password };
    return PortalClient.#enter(access, '/api/portal/sign-in', baseUrl, json);
  }

  /** Goes on with a session that was kept; the first call tells whether it still stands. */
  static resume(access: TransportOptions & { baseUrl: string } & PortalSessionToken): PortalClient {
    const { token, expiresAt } = access;
    return new PortalClient(new Transport(access), checkedBase(access.baseUrl), { token, expiresAt });
  }

  static async #enter(
    options: TransportOptions,
    path: string,
    baseUrl: string,
    json: PortalRegisterRequest | PortalSignInRequest,
  ): Promise<PortalClient> {
    const transport = new Transport(options);
    const base = checkedBase(baseUrl);
    const session = jsonOf(await transport.send(base, { method: 'POST', path, json })) as PortalSession;
    const { token, expires_at: expiresAt } = session;
    return new PortalClient(transport, base, { token, expiresAt });
  }

  /** Ends the session on the platform; this client is of no use afterwards. */
  async signOut(): Promise<void> {
    await this.#api.done({ method: 'POST', path: '/api/portal/sign-out' });
    this.#session.hold(undefined);
  }

  account(): Promise<Company> {
    return this.#get('/api/account');
  }

  /** The public half of the account key, to which the platform seals webhook envelopes. */
  accountPublicKey(): Promise<AccountKey> {
    return this.#get('/api/account-key');
  }

  /**
   * The account key itself, for a webhook receiver. Nobody gets it by a session alone.
   *
   * @throws AuthenticationError `auth.credentials_invalid`; RateLimitError `auth.throttled`
   */
  accountKey(password: string): Promise<AccountPrivateKey> {
    const json: AccountPrivateKeyRequest = { password };
    return this.#api.json({ method: 'POST', path: '/api/account-key', json });
  }

  /**
   * Creates a service with a key pair made here (spec 2.2). The platform gets the public key, the private key in two
   * encrypted forms, and the passphrase sealed to the company's recovery key: `recoverSecrets` brings it back.
   */
  async createService(input: { name: string; adminEmail: string }): Promise<CreatedService> {
    const [key, recovery] = await Promise.all([createServiceKey(), this.recoveryKey()]);
    const json: CreateServiceRequest = {
      name: input.name,
      admin_email: input.adminEmail,
      public_key: key.publicKey,
      encrypted_private_key: key.encryptedPrivateKey,
      private_key_pem: key.privateKeyPem,
      passphrase_recovery_copy: await sealValue(key.passphrase, recovery.public_key),
    };
    const service = await this.#api.json<Service>({ method: 'POST', path: '/api/services', json });
    return { service, passphrase: key.passphrase, pem: key.privateKeyPem };
  }

  services(page: { limit?: number; offset?: number } = {}): Promise<{ total: number; items: Service[] }> {
    return this.#api.json({ method: 'GET', path: '/api/services', query: page });
  }

  service(id: string): Promise<Service> {
    return this.#get(path`/api/services/${id}`);
  }

  renameService(id: string, name: string): Promise<Service> {
    return this.#put(path`/api/services/${id}`, { name });
  }

  /** @throws ConflictError `services.has_connections` while people are connected, unless `confirm` */
  deleteService(id: string, options: { confirm?: boolean } = {}): Promise<void> {
    const query = options.confirm ? { confirm: true } : undefined;
    return this.#api.done({ method: 'DELETE', path: path`/api/services/${id}`, query });
  }

  /** @throws InvalidRequestError `services.share_code_invalid`; ConflictError `services.share_code_taken` */
  setShareCode(id: string, shareCode: string): Promise<Service> {
    return this.#put(path`/api/services/${id}/share-code`, { share_code: shareCode });
  }

  setAdminEmail(id: string, adminEmail: string): Promise<Service> {
    return this.#put(path`/api/services/${id}/admin-email`, { admin_email: adminEmail });
  }

  setAudience(id: string, audience: Audience): Promise<Service> {
    return this.#put(path`/api/services/${id}/audience`, { audience });
  }

  setRequireTwoFactor(id: string, require: boolean): Promise<Service> {
    return this.#put(path`/api/services/${id}/require-2fa`, { require_2fa: require });
  }

  setNumberMatching(id: string, on: boolean): Promise<Service> {
    return this.#put(path`/api/services/${id}/number-matching`, { number_matching: on });
  }

  requestFields(id: string): Promise<RequestFieldConfig> {
    return this.#get(path`/api/services/${id}/request-fields`);
  }

  /**
   * Publishes the whole set of request rows, told apart by their slugs.
   *
   * @param configToken of the configuration that was read before; without one, of the present configuration
   * @throws ConflictError `services.config_conflict` when it was published by someone else meanwhile
   */
  async publishRequestFields(
    id: string,
    rows: readonly RequestFieldInput[],
    configToken?: string,
  ): Promise<RequestFieldConfig> {
    const config_token = configToken ?? (await this.requestFields(id)).config_token;
    const json: PublishRequestFieldsRequest = { config_token, request_fields: [...rows] };
    return this.#put(path`/api/services/${id}/request-fields`, json);
  }

  shareFields(id: string): Promise<ShareFieldConfig> {
    return this.#get(path`/api/services/${id}/share-fields`);
  }

  /** Publishes what the service shows about itself; as {@link publishRequestFields}. */
  async publishShareFields(
    id: string,
    rows: PublishShareFieldsRequest['share_fields'],
    configToken?: string,
  ): Promise<ShareFieldConfig> {
    const config_token = configToken ?? (await this.shareFields(id)).config_token;
    const json: PublishShareFieldsRequest = { config_token, share_fields: rows };
    return this.#put(path`/api/services/${id}/share-fields`, json);
  }

  /** The service's private key as the platform keeps it; the passphrase opens it. */
  privateKey(id: string): Promise<ServicePrivateKey> {
    return this.#get(path`/api/services/${id}/private-key`);
  }

  /** The encrypted PEM. @throws NotFoundError `services.private_key_pem_missing` */
  async privateKeyPem(id: string): Promise<string> {
    const { bytes } = await this.#api.send({
      method: 'GET',
      path: path`/api/services/${id}/private-key.pem`,
      accept: 'application/x-pem-file, application/json',
    });
    return new TextDecoder().decode(bytes);
  }

  /** Registers the service's data client; its secret is shown this once. @throws ConflictError `services.client_exists` */
  registerDataClient(id: string): Promise<DataClientWithSecret> {
    return this.#api.json({ method: 'POST', path: path`/api/services/${id}/client` });
  }

  /** @throws NotFoundError `services.client_not_found` */
  dataClient(id: string): Promise<DataClient> {
    return this.#get(path`/api/services/${id}/client`);
  }

  /** A new secret, shown this once; tokens of the old one end. */
  regenerateDataClientSecret(id: string): Promise<DataClientWithSecret> {
    return this.#api.json({ method: 'POST', path: path`/api/services/${id}/client/regenerate-secret` });
  }

  deleteDataClient(id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/services/${id}/client` });
  }

  async webhooks(serviceId: string): Promise<Webhook[]> {
    return (await this.#get<{ webhooks: Webhook[] }>(path`/api/services/${serviceId}/webhooks`)).webhooks;
  }

  /** @throws NotFoundError `services.webhook_not_found` */
  webhook(serviceId: string, id: string): Promise<Webhook> {
    return this.#get(path`/api/services/${serviceId}/webhooks/${id}`);
  }

  /**
   * Creates a webhook. Without an `hmac_secret` one is made and shown this once, as `hmac_secret_once`.
   *
   * @throws InvalidRequestError `services.webhook_url_invalid`, `services.webhook_auth_invalid`; ConflictError
   * `services.webhooks_limit`
   */
  createWebhook(serviceId: string, json: WebhookRequest): Promise<WebhookWithSecret> {
    return this.#api.json({ method: 'POST', path: path`/api/services/${serviceId}/webhooks`, json });
  }

  /** Replaces the configuration; secrets that are left out are kept. */
  updateWebhook(serviceId: string, id: string, webhook: WebhookRequest): Promise<WebhookWithSecret> {
    return this.#put(path`/api/services/${serviceId}/webhooks/${id}`, webhook);
  }

  /** Deletes a webhook; its backlog goes with it. */
  deleteWebhook(serviceId: string, id: string): Promise<void> {
    return this.#api.done({ method: 'DELETE', path: path`/api/services/${serviceId}/webhooks/${id}` });
  }

  /** Has an example event sent at once; queue and health stay as they are. */
  testWebhook(serviceId: string, id: string): Promise<WebhookTest> {
    return this.#api.json({ method: 'POST', path: path`/api/services/${serviceId}/webhooks/${id}/test` });
  }

  recoveryKey(): Promise<RecoveryKeyView> {
    return this.#get('/api/account/recovery-key');
  }

  async recoveryCopies(): Promise<RecoveryCopy[]> {
    const { items } = await this.#get<{ items: RecoveryCopy[] }>('/api/account/recovery-copies');
    return items;
  }

  /**
   * Opens the recovery copies: passphrases of services and secrets of data clients.
   *
   * @throws DecryptionError `sdk.password_wrong`
   */
  async recoverSecrets(password: string): Promise<RecoveredSecret[]> {
    const [view, copies] = await Promise.all([this.recoveryKey(), this.recoveryCopies()]);
    const pkcs8 = await openingKey(decryptPrivateKey(view.encrypted_private_key, password));
    const key = await importPrivateKey(pkcs8);
    pkcs8.fill(0);
    return Promise.all(
      copies.map(async (copy) => ({
        kind: copy.kind,
        serviceId: copy.service_id,
        clientId: copy.client_id,
        secret: await openText(copy.sealed, key),
        createdAt: copy.created_at,
      })),
    );
  }

  #get<T>(path: string): Promise<T> {
    return this.#api.json({ method: 'GET', path });
  }

  #put<T>(path: string, json: unknown): Promise<T> {
    return this.#api.json({ method: 'PUT', path, json });
  }
}
