import {
  type AuditAction,
  type CreateOAuthAppRequest,
  clientIdPrefix,
  limits,
  type OAuthApp,
  type OAuthAppWithSecret,
  type UpdateOAuthAppRequest,
} from '@symbolon/protocol';
import { newClientId } from '../../../access/client-ids.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import type { RecoveryCopies } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { type ClientAct, recordClientAct } from '../data-clients/client-act.ts';
import type { Clients, FreshSecret } from '../data-clients/clients.ts';
import { countClients, deleteClientRow } from '../data-clients/company-clients.ts';
import type { ClientUses } from '../uses/uses.ts';
import { checkAppType, checkClaimConfig, checkRedirectUris } from './app-rules.ts';
import { toApp, toAuditDetails } from './app-views.ts';
import { checkedKey } from './key-columns.ts';
import { appsOf, insertApp, insertDeletedApp, isServiceOf, requireApp, updateApp } from './store.ts';
import type { OAuthAppRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'config' | 'database' | 'ids'> {
  readonly clients: Clients;
  readonly recovery: RecoveryCopies;
  readonly uses: ClientUses;
  readonly audit: Audit;
}

/** Sign-in apps: who may send people to sign in, where they come back to, and how their claims are given (wire 4.8). */
export class OAuthApps {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Registers an app; a confidential one gets a secret, shown once.
   * @throws {PlatformError} oauth_apps.redirect_uri_invalid, oauth_apps.service_invalid, oauth_apps.claim_config_invalid,
   *   oauth_apps.claim_config_plugin_invalid, oauth_apps.limit_reached, and what `checkedKey` throws
   */
  async create(companyId: string, actor: Actor, request: CreateOAuthAppRequest): Promise<OAuthAppWithSecret> {
    this.#checkRedirectUris(request.redirect_uris);
    const type = checkAppType(request);
    const claims = checkClaimConfig(request.claim_config ?? []);
    const key = await checkedKey(request);
    const fresh = type === 'public' ? undefined : await this.#deps.clients.freshSecret(companyId);
    const now = this.#deps.clock.now();
    const row: OAuthAppRow = {
      company_id: companyId,
      client_id: newClientId(clientIdPrefix.app, companyId, this.#deps.ids),
      name: request.name.trim(),
      app_type: type,
      redirect_uris: JSON.stringify(request.redirect_uris),
      service_id: request.service_id ?? null,
      require_2fa: flag(request.require_2fa ?? false),
      // A public app has no secret by which its screen is known.
      detached: flag(request.detached ?? type === 'confidential'),
      claims_delivery: request.claims_delivery ?? 'encrypted',
      claim_config: JSON.stringify(claims),
      id_token_alg: request.id_token_signed_response_alg ?? 'RS256',
      ...key,
      secret_hash: fresh?.hash ?? null,
      secret_created_at: fresh?.at ?? null,
      created_at: now,
      updated_at: now,
    };
    await writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      if ((await countClients(writer, 'oauth_apps', companyId)) >= limits.oauthAppsMost) {
        throw new PlatformError('oauth_apps.limit_reached');
      }
      await checkService(writer, row);
      await insertApp(writer, row);
      const act = { companyId, clientId: row.client_id, actor };
      await this.#deps.uses.begin(writer, act);
      if (fresh !== undefined) await this.#keepCopy(writer, act, fresh);
      await recordClientAct(this.#deps.audit, writer, act, 'oauth_app.created', {
        app_type: type,
        ...toAuditDetails(row),
      });
    });
    return { ...toApp(row), client_secret: fresh?.secret ?? null };
  }

  async list(companyId: string): Promise<OAuthApp[]> {
    return (await appsOf(this.#deps.database.reader, companyId)).map(toApp);
  }

  /** @throws {PlatformError} oauth_apps.not_found */
  async get(act: ClientAct): Promise<OAuthApp> {
    return toApp(await requireApp(this.#deps.database.reader, act));
  }

  /**
   * Replaces the redirect URIs, and of the rest what is sent. The audit log gets the values before and after.
   * @throws {PlatformError} oauth_apps.not_found, and what `create` throws for the members that are sent
   */
  async update(act: ClientAct, request: UpdateOAuthAppRequest): Promise<OAuthApp> {
    this.#checkRedirectUris(request.redirect_uris);
    const claims = request.claim_config && checkClaimConfig(request.claim_config);
    const sentKey = request.public_key === undefined ? undefined : await checkedKey(request);
    return this.change(act, 'oauth_app.updated', async (writer, before) => {
      const after: OAuthAppRow = {
        ...before,
        name: request.name?.trim() ?? before.name,
        redirect_uris: JSON.stringify(request.redirect_uris),
        service_id: request.service_id === undefined ? before.service_id : request.service_id,
        require_2fa: request.require_2fa === undefined ? before.require_2fa : flag(request.require_2fa),
        detached: request.detached === undefined ? before.detached : flag(request.detached),
        claims_delivery: request.claims_delivery ?? before.claims_delivery,
        claim_config: claims === undefined ? before.claim_config : JSON.stringify(claims),
        id_token_alg: request.id_token_signed_response_alg ?? before.id_token_alg,
        ...sentKey,
      };
      if (after.service_id !== before.service_id) await checkService(writer, after);
      return after;
    });
  }

  /**
   * Changes an app under its company's lock, and records the values before and after.
   * @throws {PlatformError} oauth_apps.not_found, and what `change` throws
   */
  change(
    act: ClientAct,
    action: AuditAction,
    change: (writer: Writer, before: OAuthAppRow) => Promise<OAuthAppRow>,
  ): Promise<OAuthApp> {
    return writeLocked(this.#deps.database, 'companies', act.companyId, async (writer) => {
      const before = await requireApp(writer, act);
      const after = { ...(await change(writer, before)), updated_at: this.#deps.clock.now() };
      const { company_id, client_id, ...changes } = after;
      await updateApp(writer, company_id, client_id, changes);
      await recordClientAct(this.#deps.audit, writer, act, action, {
        before: toAuditDetails(before),
        after: toAuditDetails(after),
      });
      return toApp(after);
    });
  }

  /**
   * A new secret, shown once, in place of the one before.
   * @throws {PlatformError} oauth_apps.not_found, oauth_apps.secret_unsupported
   */
  async regenerateSecret(act: ClientAct): Promise<OAuthAppWithSecret> {
    const fresh = await this.#deps.clients.freshSecret(act.companyId);
    return writeLocked(this.#deps.database, 'companies', act.companyId, async (writer) => {
      const before = await requireApp(writer, act);
      if (before.app_type === 'public') throw new PlatformError('oauth_apps.secret_unsupported');
      const changes = { secret_hash: fresh.hash, secret_created_at: fresh.at, updated_at: fresh.at };
      await updateApp(writer, act.companyId, act.clientId, changes);
      await this.#keepCopy(writer, act, fresh);
      await recordClientAct(this.#deps.audit, writer, act, 'oauth_app.secret_regenerated');
      return { ...toApp({ ...before, ...changes }), client_secret: fresh.secret };
    });
  }

  /** @throws {PlatformError} oauth_apps.not_found */
  async delete(act: ClientAct): Promise<void> {
    await writeLocked(this.#deps.database, 'companies', act.companyId, async (writer) => {
      const before = await requireApp(writer, act);
      await deleteClientRow(writer, 'oauth_apps', act);
      await this.#deps.uses.forget(writer, act.clientId);
      // What people chose for it is deleted in steps.
      await insertDeletedApp(writer, {
        company_id: act.companyId,
        client_id: act.clientId,
        deleted_at: this.#deps.clock.now(),
      });
      await this.#deps.recovery.dropClientSecret(writer, act.companyId, act.clientId);
      await recordClientAct(this.#deps.audit, writer, act, 'oauth_app.deleted', {
        before: toAuditDetails(before),
      });
    });
  }

  #checkRedirectUris(uris: readonly string[]): void {
    checkRedirectUris(uris, this.#deps.config.dangerouslyAllowPrivateHttpRedirects);
  }

  #keepCopy(writer: Writer, act: ClientAct, fresh: FreshSecret): Promise<void> {
    const owner = { companyId: act.companyId, serviceId: null };
    return this.#deps.recovery.keepClientSecret(writer, owner, act.clientId, fresh.sealed);
  }
}

/** @throws {PlatformError} oauth_apps.service_invalid */
async function checkService(
  writer: Writer,
  app: Pick<OAuthAppRow, 'company_id' | 'service_id'>,
): Promise<void> {
  if (app.service_id === null) return;
  if (!(await isServiceOf(writer, app.company_id, app.service_id))) {
    throw new PlatformError('oauth_apps.service_invalid');
  }
}
