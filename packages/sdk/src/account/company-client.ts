import { createServiceKey, sealValue, type Wrapper } from '@symbolon/crypto';
import type {
  Audience,
  ChangeFeedState,
  Company,
  CreateOAuthAppRequest,
  CreateServiceRequest,
  DataClient,
  DataClientWithSecret,
  FormerServiceKey,
  OAuthApp,
  OAuthAppWithSecret,
  PublishRequestFieldsRequest,
  PublishShareFieldsRequest,
  RecentEvents,
  RecoveryKeyView,
  RegenerateWebhookSecretRequest,
  ReplaceServiceKeyRequest,
  RequestFieldConfig,
  RequestFieldInput,
  Service,
  ServiceJob,
  ServicePrivateKey,
  ShareFieldConfig,
  UpdateOAuthAppRequest,
  UpdateWebhookRequest,
  Webhook,
  WebhookAttemptPage,
  WebhookAttemptsQuery,
  WebhookPreview,
  WebhookRequest,
  WebhookTest,
  WebhookWithSecret,
} from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import type { PortalProof } from '../portal/portal-login.ts';
import { DelegatesClient } from './delegates.ts';
import { FlowAuthoring } from './flows.ts';
import { ProfileClient } from './profile.ts';
import { checkRecoveryKey } from './recovery-key.ts';

/** A new service, with the secrets that are shown only once. Keep the passphrase: without it no value can be read. */
export type CreatedService = { service: Service; passphrase: string; pem: string };

/**
 * The calls that a portal login and an account client can both make for the company (wire 4.6, 4.8). An account client gets
 * ForbiddenError `auth.client_endpoint_forbidden` for calls outside its capabilities. Runs in browsers too.
 */
export abstract class CompanyClient {
  protected readonly api: Api;

  /** How the company shows itself: display name, profile values, custom fields, photos. */
  readonly profile: ProfileClient;

  /** The people who sign in to the company's portal. */
  readonly delegates: DelegatesClient;

  /** Drafts and versions of flows, and their packages. */
  readonly flows: FlowAuthoring;

  protected constructor(api: Api) {
    this.api = api;
    this.flows = new FlowAuthoring(api);
    this.delegates = new DelegatesClient(api);
    this.profile = new ProfileClient(api);
  }

  account(): Promise<Company> {
    return this.get('/api/account');
  }

  /**
   * Creates a service with a key pair made here (wire 2.2). The platform gets the public key, the private key in two
   * encrypted forms, and the passphrase sealed to the company's recovery key, from which a portal client opens it.
   *
   * @throws UnconfirmedKeyError unless the recovery key is the confirmed one
   */
  async createService(input: { name: string; adminEmail: string }): Promise<CreatedService> {
    const key = await createServiceKey();
    const json: CreateServiceRequest = {
      name: input.name,
      admin_email: input.adminEmail,
      public_key: key.publicKey,
      encrypted_private_key: key.encryptedPrivateKey,
      private_key_pem: key.privateKeyPem,
      passphrase_recovery_copy: await this.#recoveryCopy(key.passphrase),
    };
    const service = await this.api.json<Service>({ method: 'POST', path: '/api/services', json });
    return { service, passphrase: key.passphrase, pem: key.privateKeyPem };
  }

  /**
   * Gives a service a new key pair, made here. Stored values open only with the key they were sealed to, so keep the former
   * passphrase: {@link formerServiceKeys} has the former key. Companies that are customers get an event.
   *
   * @throws UnconfirmedKeyError unless the recovery key is the confirmed one; ConflictError `services.key_reused`
   */
  async replaceServiceKey(id: string): Promise<CreatedService> {
    const key = await createServiceKey();
    const json: ReplaceServiceKeyRequest = {
      public_key: key.publicKey,
      encrypted_private_key: key.encryptedPrivateKey,
      private_key_pem: key.privateKeyPem,
      passphrase_recovery_copy: await this.#recoveryCopy(key.passphrase),
    };
    const service = await this.put<Service>(path`/api/services/${id}/key`, json);
    return { service, passphrase: key.passphrase, pem: key.privateKeyPem };
  }

  /** The replaced key pairs of a service, the latest first; proof as {@link privateKey}. */
  async formerServiceKeys(id: string, proof?: PortalProof): Promise<FormerServiceKey[]> {
    type Body = { keys: FormerServiceKey[] };
    return (await this.api.json<Body>(await this.#proven(path`/api/services/${id}/former-keys`, proof))).keys;
  }

  services(page: { limit?: number; offset?: number } = {}): Promise<{ total: number; items: Service[] }> {
    return this.api.json({ method: 'GET', path: '/api/services', query: page });
  }

  service(id: string): Promise<Service> {
    return this.get(path`/api/services/${id}`);
  }

  renameService(id: string, name: string): Promise<Service> {
    return this.put(path`/api/services/${id}`, { name });
  }

  /**
   * How far the work is that acts on a service have left to the platform, the latest first: telling customers, ending
   * connections. A service that was deleted has it for some days after the end.
   */
  async serviceJobs(id: string): Promise<ServiceJob[]> {
    return (await this.get<{ jobs: ServiceJob[] }>(path`/api/services/${id}/jobs`)).jobs;
  }

  /** @throws ConflictError `services.has_connections` while people are connected, unless `confirm` */
  deleteService(id: string, options: { confirm?: boolean } = {}): Promise<void> {
    const query = options.confirm ? { confirm: true } : undefined;
    return this.api.done({ method: 'DELETE', path: path`/api/services/${id}`, query });
  }

  /** @throws InvalidRequestError `services.share_code_invalid`; ConflictError `services.share_code_taken` */
  setShareCode(id: string, shareCode: string): Promise<Service> {
    return this.put(path`/api/services/${id}/share-code`, { share_code: shareCode });
  }

  setAdminEmail(id: string, adminEmail: string): Promise<Service> {
    return this.put(path`/api/services/${id}/admin-email`, { admin_email: adminEmail });
  }

  setAudience(id: string, audience: Audience): Promise<Service> {
    return this.put(path`/api/services/${id}/audience`, { audience });
  }

  setRequireTwoFactor(id: string, require: boolean): Promise<Service> {
    return this.put(path`/api/services/${id}/require-2fa`, { require_2fa: require });
  }

  setNumberMatching(id: string, on: boolean): Promise<Service> {
    return this.put(path`/api/services/${id}/number-matching`, { number_matching: on });
  }

  requestFields(id: string): Promise<RequestFieldConfig> {
    return this.get(path`/api/services/${id}/request-fields`);
  }

  /**
   * Publishes the whole set of request rows, which are identified by their slugs.
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
    return this.put(path`/api/services/${id}/request-fields`, json);
  }

  shareFields(id: string): Promise<ShareFieldConfig> {
    return this.get(path`/api/services/${id}/share-fields`);
  }

  /** Publishes what the service shows about itself; as {@link publishRequestFields}. */
  async publishShareFields(
    id: string,
    rows: PublishShareFieldsRequest['share_fields'],
    configToken?: string,
  ): Promise<ShareFieldConfig> {
    const config_token = configToken ?? (await this.shareFields(id)).config_token;
    const json: PublishShareFieldsRequest = { config_token, share_fields: rows };
    return this.put(path`/api/services/${id}/share-fields`, json);
  }

  /**
   * The service's private key as the platform keeps it; the passphrase opens it.
   *
   * @param proof a portal client must give it
   * @throws ForbiddenError `auth.proof_required`
   */
  async privateKey(id: string, proof?: PortalProof): Promise<ServicePrivateKey> {
    return this.api.json(await this.#proven(path`/api/services/${id}/private-key`, proof));
  }

  /** The encrypted PEM; as {@link privateKey}. @throws NotFoundError `services.private_key_pem_missing` */
  async privateKeyPem(id: string, proof?: PortalProof): Promise<string> {
    const call = await this.#proven(path`/api/services/${id}/private-key.pem`, proof);
    const { bytes } = await this.api.send({ ...call, accept: 'application/x-pem-file, application/json' });
    return new TextDecoder().decode(bytes);
  }

  /** Registers the service's data client; its secret is shown this once. @throws ConflictError `services.client_exists` */
  registerDataClient(id: string): Promise<DataClientWithSecret> {
    return this.api.json({ method: 'POST', path: path`/api/services/${id}/client` });
  }

  /** @throws NotFoundError `services.client_not_found` */
  dataClient(id: string): Promise<DataClient> {
    return this.get(path`/api/services/${id}/client`);
  }

  /** Makes a new secret, which is shown only once. Tokens of the old one end. */
  regenerateDataClientSecret(id: string): Promise<DataClientWithSecret> {
    return this.api.json({ method: 'POST', path: path`/api/services/${id}/client/regenerate-secret` });
  }

  deleteDataClient(id: string): Promise<void> {
    return this.api.done({ method: 'DELETE', path: path`/api/services/${id}/client` });
  }

  /** How many events wait in the change feed of a service, and since when. Nothing is drained by it. */
  changeFeed(serviceId: string): Promise<ChangeFeedState> {
    return this.get(path`/api/services/${serviceId}/changes`);
  }

  /**
   * Watches the events of a service: the latest first, without any value, whether or not they were drained. They are noted for
   * some minutes after each call.
   * @throws NotFoundError `services.not_found`
   */
  recentEvents(serviceId: string, page: { limit?: number; before?: string } = {}): Promise<RecentEvents> {
    return this.api.json({ method: 'GET', path: path`/api/services/${serviceId}/events`, query: page });
  }

  async webhooks(serviceId: string): Promise<Webhook[]> {
    return (await this.get<{ webhooks: Webhook[] }>(path`/api/services/${serviceId}/webhooks`)).webhooks;
  }

  /** @throws NotFoundError `services.webhook_not_found` */
  webhook(serviceId: string, id: string): Promise<Webhook> {
    return this.get(path`/api/services/${serviceId}/webhooks/${id}`);
  }

  /**
   * Creates a webhook. Without an `hmac_secret` the platform makes one and shows it once, as `hmac_secret_once`.
   *
   * @throws InvalidRequestError `services.webhook_url_invalid`, `services.webhook_auth_invalid`; ConflictError
   * `services.webhooks_limit`
   */
  createWebhook(serviceId: string, json: WebhookRequest): Promise<WebhookWithSecret> {
    return this.api.json({ method: 'POST', path: path`/api/services/${serviceId}/webhooks`, json });
  }

  /**
   * Changes the configuration and keeps what is left out.
   *
   * @throws InvalidRequestError as `createWebhook`, and `services.webhook_secret_required` when the scheme, host or port of
   * the address changes and the credentials that go there are not sent again
   */
  updateWebhook(serviceId: string, id: string, webhook: UpdateWebhookRequest): Promise<WebhookWithSecret> {
    return this.put(path`/api/services/${serviceId}/webhooks/${id}`, webhook);
  }

  /**
   * Gives a webhook another HMAC secret. For `overlap_hours` (24) the previous one makes the signature that receivers know, and
   * the new one a second signature, which the receivers of this SDK accept as well.
   *
   * @throws InvalidRequestError `services.webhook_auth_invalid`; ConflictError `services.webhook_secret_overlaps`
   */
  regenerateWebhookSecret(
    serviceId: string,
    id: string,
    request: RegenerateWebhookSecretRequest = {},
  ): Promise<WebhookWithSecret> {
    const at = path`/api/services/${serviceId}/webhooks/${id}/regenerate-secret`;
    return this.api.json({ method: 'POST', path: at, json: request });
  }

  /** Ends the time of the previous HMAC secret now. */
  endPreviousWebhookSecret(serviceId: string, id: string): Promise<void> {
    const at = path`/api/services/${serviceId}/webhooks/${id}/previous-secret`;
    return this.api.done({ method: 'DELETE', path: at });
  }

  /** Deletes a webhook and its backlog. */
  deleteWebhook(serviceId: string, id: string): Promise<void> {
    return this.api.done({ method: 'DELETE', path: path`/api/services/${serviceId}/webhooks/${id}` });
  }

  /** Sends an example event at once. This does not change the queue or the health. */
  testWebhook(serviceId: string, id: string): Promise<WebhookTest> {
    return this.api.json({ method: 'POST', path: path`/api/services/${serviceId}/webhooks/${id}/test` });
  }

  /** What became of the latest deliveries, newest first. */
  webhookAttempts(
    serviceId: string,
    id: string,
    query: WebhookAttemptsQuery = {},
  ): Promise<WebhookAttemptPage> {
    return this.api.json({
      method: 'GET',
      path: path`/api/services/${serviceId}/webhooks/${id}/attempts`,
      query: { ...query },
    });
  }

  /** The body of the event that is sent next, as JSON and as XML; while none waits, that of an example. */
  webhookPreview(serviceId: string, id: string): Promise<WebhookPreview> {
    return this.get(path`/api/services/${serviceId}/webhooks/${id}/preview`);
  }

  /** Has the oldest event of a webhook that is bad sent now. `webhookAttempts` tells what became of it. */
  probeWebhook(serviceId: string, id: string): Promise<Webhook> {
    return this.api.json({ method: 'POST', path: path`/api/services/${serviceId}/webhooks/${id}/probe` });
  }

  /** The public half of the company's recovery key. */
  recoveryKey(): Promise<RecoveryKeyView> {
    return this.get('/api/account/recovery-key');
  }

  /** The company's sign-in apps, oldest first. */
  async oauthApps(): Promise<OAuthApp[]> {
    return (await this.get<{ oauth_apps: OAuthApp[] }>('/api/account/oauth-apps')).oauth_apps;
  }

  /** @throws NotFoundError `oauth_apps.not_found` */
  oauthApp(clientId: string): Promise<OAuthApp> {
    return this.get(path`/api/account/oauth-apps/${clientId}`);
  }

  /**
   * Registers a sign-in app. The secret of a confidential app is shown only once.
   *
   * @throws InvalidRequestError `oauth_apps.redirect_uri_invalid`, `oauth_apps.public_key_invalid`; ConflictError
   * `oauth_apps.limit_reached`
   */
  createOAuthApp(json: CreateOAuthAppRequest): Promise<OAuthAppWithSecret> {
    return this.api.json({ method: 'POST', path: '/api/account/oauth-apps', json });
  }

  /** Replaces the redirect URIs. Other members that are left out do not change. */
  updateOAuthApp(clientId: string, app: UpdateOAuthAppRequest): Promise<OAuthApp> {
    return this.put(path`/api/account/oauth-apps/${clientId}`, app);
  }

  /** A new secret, shown this once. @throws ConflictError `oauth_apps.secret_unsupported` for a public app */
  regenerateOAuthAppSecret(clientId: string): Promise<OAuthAppWithSecret> {
    const address = path`/api/account/oauth-apps/${clientId}/regenerate-secret`;
    return this.api.json({ method: 'POST', path: address });
  }

  deleteOAuthApp(clientId: string): Promise<void> {
    return this.api.done({ method: 'DELETE', path: path`/api/account/oauth-apps/${clientId}` });
  }

  /** The fingerprint of the recovery key that secrets may be sealed to. */
  protected abstract confirmedRecoveryKey(): Promise<string | undefined>;

  /** Headers that prove who is present, for a GET of the address. */
  protected abstract proofHeaders(address: string, proof: PortalProof): Promise<Record<string, string>>;

  async #recoveryCopy(passphrase: string): Promise<Wrapper> {
    const { public_key } = await this.recoveryKey();
    await checkRecoveryKey(public_key, await this.confirmedRecoveryKey());
    return sealValue(passphrase, public_key);
  }

  async #proven(address: string, proof: PortalProof | undefined) {
    const headers = proof && (await this.proofHeaders(address, proof));
    return { method: 'GET', path: address, ...(headers && { headers }) } as const;
  }

  protected get<T>(path: string): Promise<T> {
    return this.api.json({ method: 'GET', path });
  }

  protected put<T>(path: string, json: unknown): Promise<T> {
    return this.api.json({ method: 'PUT', path, json });
  }
}
