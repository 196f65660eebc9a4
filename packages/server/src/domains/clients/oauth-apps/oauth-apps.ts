import { checkPublicKey, fingerprint } from '@symbolon/crypto';
import {
  type CreateOAuthAppRequest,
  clientIdPrefix,
  limits,
  type OAuthApp,
  type OAuthAppWithSecret,
  type UpdateOAuthAppRequest,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { refuseCryptoError } from '../../../core/crypto-errors.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { RecoveryCopies } from '../../identity/index.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import {
  type ClientAct,
  type Clients,
  clientOf,
  clientsOf,
  countClients,
  deleteClientRow,
  type FreshSecret,
  recordClientAct,
} from '../data-clients/index.ts';
import { redirectUriProblem } from './redirect-uri.ts';
import { insertApp, updateApp } from './store.ts';
import type { OAuthAppRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly clients: Clients;
  readonly recovery: RecoveryCopies;
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
   * @throws {PlatformError} oauth_apps.redirect_uri_invalid, oauth_apps.public_key_invalid, oauth_apps.limit_reached
   */
  async create(companyId: string, actor: Actor, request: CreateOAuthAppRequest): Promise<OAuthAppWithSecret> {
    checkRedirectUris(request.redirect_uris);
    const delivery = request.claims_delivery ?? 'encrypted';
    const key = await checkedKey(request.public_key ?? null, delivery);
    const type = request.app_type ?? 'confidential';
    const fresh = type === 'public' ? undefined : await this.#deps.clients.freshSecret(companyId);
    const now = this.#deps.clock.now();
    const row: OAuthAppRow = {
      company_id: companyId,
      client_id: `${clientIdPrefix.app}${this.#deps.ids.token(18)}`,
      name: request.name.trim(),
      app_type: type,
      redirect_uris: JSON.stringify(request.redirect_uris),
      claims_delivery: delivery,
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
      await insertApp(writer, row);
      const act = { companyId, clientId: row.client_id, actor };
      if (fresh !== undefined) await this.#keepCopy(writer, act, fresh);
      await recordClientAct(this.#deps.audit, writer, act, 'oauth_app.created', {
        name: row.name,
        app_type: type,
        claims_delivery: delivery,
        redirect_uris: request.redirect_uris,
      });
    });
    return { ...toApp(row), client_secret: fresh?.secret ?? null };
  }

  async list(companyId: string): Promise<OAuthApp[]> {
    return (await clientsOf(this.#deps.database.reader, 'oauth_apps', companyId)).map(toApp);
  }

  /** @throws {PlatformError} oauth_apps.not_found */
  async get(act: ClientAct): Promise<OAuthApp> {
    return toApp(await findOrThrow(this.#deps.database.reader, act));
  }

  /**
   * Replaces the redirect URIs, and of the rest what is sent. The audit log gets the values before and after.
   * @throws {PlatformError} oauth_apps.not_found, oauth_apps.redirect_uri_invalid, oauth_apps.public_key_invalid
   */
  async update(act: ClientAct, request: UpdateOAuthAppRequest): Promise<OAuthApp> {
    checkRedirectUris(request.redirect_uris);
    const sentKey =
      request.public_key === undefined ? undefined : await checkedKey(request.public_key, 'plaintext');
    return writeLocked(this.#deps.database, 'companies', act.companyId, async (writer) => {
      const before = await findOrThrow(writer, act);
      const after: OAuthAppRow = {
        ...before,
        name: request.name?.trim() ?? before.name,
        redirect_uris: JSON.stringify(request.redirect_uris),
        claims_delivery: request.claims_delivery ?? before.claims_delivery,
        ...sentKey,
        updated_at: this.#deps.clock.now(),
      };
      if (after.claims_delivery === 'encrypted' && after.public_key === null) {
        throw new PlatformError('oauth_apps.public_key_invalid');
      }
      const { company_id, client_id, ...changes } = after;
      await updateApp(writer, company_id, client_id, changes);
      await recordClientAct(this.#deps.audit, writer, act, 'oauth_app.updated', {
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
      const before = await findOrThrow(writer, act);
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
      const before = await findOrThrow(writer, act);
      await deleteClientRow(writer, 'oauth_apps', act);
      await this.#deps.recovery.dropClientSecret(writer, act.companyId, act.clientId);
      await recordClientAct(this.#deps.audit, writer, act, 'oauth_app.deleted', {
        before: toAuditDetails(before),
      });
    });
  }

  #keepCopy(writer: Writer, act: ClientAct, fresh: FreshSecret): Promise<void> {
    const owner = { companyId: act.companyId, serviceId: null };
    return this.#deps.recovery.keepClientSecret(writer, owner, act.clientId, fresh.sealed);
  }
}

async function findOrThrow(reader: Reader, act: ClientAct): Promise<OAuthAppRow> {
  const row = await clientOf(reader, 'oauth_apps', act);
  if (row === undefined) throw new PlatformError('oauth_apps.not_found');
  return row;
}

function checkRedirectUris(uris: readonly string[]): void {
  const issues = uris.flatMap((uri, index) => {
    const message = redirectUriProblem(uri);
    return message === undefined ? [] : [{ path: `/redirect_uris/${index}`, message }];
  });
  if (issues.length > 0) throw new PlatformError('oauth_apps.redirect_uri_invalid', { details: { issues } });
}

/** The key's columns. Encrypted claims need a key; one for plaintext claims waits for them to become encrypted. */
async function checkedKey(
  key: string | null,
  delivery: OAuthAppRow['claims_delivery'],
): Promise<Pick<OAuthAppRow, 'public_key' | 'public_key_sha256'>> {
  if (key === null) {
    if (delivery === 'encrypted') throw new PlatformError('oauth_apps.public_key_invalid');
    return { public_key: null, public_key_sha256: null };
  }
  await refuseCryptoError('oauth_apps.public_key_invalid', () => checkPublicKey(key));
  return { public_key: key, public_key_sha256: await fingerprint(key) };
}

/** What the audit log says about an app. */
function toAuditDetails(row: OAuthAppRow): Readonly<Record<string, unknown>> {
  return {
    name: row.name,
    redirect_uris: JSON.parse(row.redirect_uris) as string[],
    claims_delivery: row.claims_delivery,
    public_key_sha256: row.public_key_sha256,
  };
}

function toApp(row: OAuthAppRow): OAuthApp {
  return {
    client_id: row.client_id,
    name: row.name,
    app_type: row.app_type,
    redirect_uris: JSON.parse(row.redirect_uris) as string[],
    claims_delivery: row.claims_delivery,
    public_key: row.public_key,
    public_key_sha256: row.public_key_sha256,
    grant_types: ['authorization_code'],
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    secret_created_at: row.secret_created_at === null ? null : isoTime(row.secret_created_at),
  };
}
