import { randomBytes } from 'node:crypto';
import {
  type ChangeEvent,
  limits,
  type RegenerateWebhookSecretRequest,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookAttemptPage,
  type WebhookAttemptsQuery,
  type WebhookFailure,
  type WebhookPreview,
  type WebhookRequest,
  type WebhookTest,
  type WebhookWithSecret,
} from '@symbolon/protocol';
import { counted, type Limiter } from '../../../access/limit-store.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { mask } from '../../../core/mask.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import { isWritesPaused } from '../../../db/paused-writes.ts';
import { type Flag, flag } from '../../../db/tables.ts';
import { checkTargetUrl } from '../../../outgoing/target-url.ts';
import type { Core } from '../../domain.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import type { ServiceRef, Services } from '../../services/index.ts';
import { eventBody } from '../change-feed/event-body.ts';
import { backlogs } from '../change-feed/event-queues.ts';
import type { Attempts } from './attempts.ts';
import { healthTransitions, transitionEntry } from './health.ts';
import type { WebhookPace } from './pace.ts';
import { CONFIGURATION_MARK, WEBHOOK_CHANNEL } from './signals.ts';
import {
  backlogsOf,
  EVERYTHING,
  insertWebhook,
  makeProbeDue,
  maySend,
  updateWebhook,
  webhookForDelivery,
  webhookOf,
  webhooksOf,
} from './store.ts';
import type { WebhookRow } from './tables.ts';
import type { WebhookDeletions } from './webhook-deletion.ts';
import { eventText, type Post, type PostResult, type WebhookPost } from './webhook-post.ts';
import {
  decryptSecrets,
  encryptSecrets,
  mergeSecrets,
  renewSecret,
  SECRET_MEMBERS,
  type WebhookKey,
} from './webhook-secrets.ts';

/** The beginning of every id in an example: of the year 1970, so no real event has it. Receivers tell examples by it. */
const EXAMPLE_ID = '00000000-0000-7000-8000-';
const HOUR_MS = 60 * 60 * 1000;
/** How long two secrets hold when a request does not say it. */
const OVERLAP_HOURS = 24;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'limitStore' | 'secrets'> {
  readonly services: Services;
  readonly logs: ServiceLogs;
  readonly post: WebhookPost;
  readonly attempts: Pick<Attempts, 'page' | 'save' | 'single'>;
  readonly deletions: Pick<WebhookDeletions, 'delete'>;
  readonly pace: Pick<WebhookPace, 'testMostMs'>;
  readonly headerName: string;
  readonly allowLoopback: boolean;
}

/** Webhooks of a service: how they are configured (wire 2.8, 4.6). How they deliver is the workers' matter. */
export class Webhooks {
  readonly #deps: Deps;
  readonly #tests: Limiter;

  constructor(deps: Deps) {
    this.#deps = deps;
    const points = limits.webhookTestsPerMinute;
    this.#tests = deps.limitStore.limiter({ keyPrefix: 'webhook-tests', points, duration: 60 });
  }

  /**
   * @throws {PlatformError} services.not_found, services.webhook_url_invalid, services.webhook_auth_invalid,
   *   services.webhooks_limit
   */
  async create(ref: ServiceRef, request: WebhookRequest): Promise<WebhookWithSecret> {
    const now = this.#deps.clock.now();
    const key = { company_id: ref.companyId, service_id: ref.serviceId, id: this.#deps.ids.uuid() };
    const { values, generated } = this.#settings(key, request, undefined);
    const row: WebhookRow = {
      ...key,
      ...values,
      health: 'unknown',
      health_changed_at: now,
      probe_at: null,
      last_failure: null,
      parked_through: values.paused === 1 ? EVERYTHING : 0,
      version: 1,
      alerted_at: null,
      lease_owner: null,
      lease_until: null,
      created_at: now,
      updated_at: now,
    };
    await this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'services', [ref.serviceId]);
      await this.#deps.services.require(writer, ref);
      if ((await webhooksOf(writer, ref.serviceId)).length >= limits.webhooksMost) {
        throw new PlatformError('services.webhooks_limit', { details: { most: limits.webhooksMost } });
      }
      await insertWebhook(writer, row);
      await this.#log(writer, ref, 'Webhook created', row);
    });
    return { ...this.#view(row, undefined), ...once(generated) };
  }

  /** @throws {PlatformError} services.not_found */
  async list(ref: ServiceRef): Promise<Webhook[]> {
    const { engine, reader } = this.#deps.database;
    await this.#deps.services.require(reader, ref);
    const rows = await webhooksOf(reader, ref.serviceId);
    const backlogs = await backlogsOf(
      engine,
      reader,
      rows.map((row) => row.id),
    );
    return rows.map((row) => this.#view(row, backlogs.get(row.id)));
  }

  /** @throws {PlatformError} services.not_found, services.webhook_not_found */
  async get(ref: ServiceRef, id: string): Promise<Webhook> {
    const { engine, reader } = this.#deps.database;
    const row = await this.#require(reader, ref, id);
    return this.#view(row, (await backlogsOf(engine, reader, [id])).get(id));
  }

  /**
   * Changes the configuration; what is left out is kept. Switched on again or resumed, its health begins from the start, with the
   * oldest event that waits. What is held is parked: it is sent under its own id.
   * @throws {PlatformError} as `create`, and services.webhook_not_found, services.webhook_secret_required
   */
  async update(ref: ServiceRef, id: string, request: UpdateWebhookRequest): Promise<WebhookWithSecret> {
    return this.#change(ref, id, 'Webhook configuration changed', (row, now) => {
      const { values, generated } = this.#settings(row, request, row);
      const held = values.paused === 1 && { parked_through: EVERYTHING };
      if (maySend(row) || !maySend(values)) return { values: { ...values, ...held }, generated };
      const health = healthTransitions[row.health].switched_on ?? row.health;
      return { values: { ...values, health, health_changed_at: now, probe_at: null }, generated };
    });
  }

  /**
   * Gives it another HMAC secret. While both hold, receivers find the signature that they know where it was, and that of the
   * new secret beside it.
   * @throws as `get`, and services.webhook_auth_invalid, services.webhook_secret_overlaps
   */
  async regenerateSecret(
    ref: ServiceRef,
    id: string,
    { overlap_hours: hours = OVERLAP_HOURS, hmac_secret: sent }: RegenerateWebhookSecretRequest,
  ): Promise<WebhookWithSecret> {
    return this.#change(ref, id, 'Webhook secret renewed', (row, now) => {
      const secret = sent ?? this.#deps.ids.token(32);
      const present = decryptSecrets(this.#deps.secrets, row);
      const until = hours === 0 ? undefined : now + hours * HOUR_MS;
      const renewed = renewSecret(present, row.auth_type, secret, { now, until });
      return {
        values: { secrets: encryptSecrets(this.#deps.secrets, row, renewed) },
        generated: sent === undefined ? secret : undefined,
      };
    });
  }

  /** Ends the time of the HMAC secret before the present one now. @throws as `get` */
  async endPreviousSecret(ref: ServiceRef, id: string): Promise<void> {
    await this.#change(ref, id, 'Previous webhook secret ended', (row) => {
      const { previous: _, ...present } = decryptSecrets(this.#deps.secrets, row);
      return { values: { secrets: encryptSecrets(this.#deps.secrets, row, present) } };
    });
  }

  /** Deletes the webhook; its backlog goes with it (wire 6.5). @throws as `get` */
  async delete(ref: ServiceRef, id: string): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'services', [ref.serviceId]);
      const row = await this.#require(writer, ref, id);
      await this.#log(writer, ref, 'Webhook deleted', row);
      await this.#deps.deletions.delete(writer, ref, id);
    });
  }

  /** Sends an example event at once; queue and health stay as they are. @throws as `get`, and rate_limit.exceeded */
  async test(ref: ServiceRef, id: string): Promise<WebhookTest> {
    await this.#require(this.#deps.database.reader, ref, id);
    await counted(this.#tests.consume(ref.companyId));
    const [row] = await webhookForDelivery(this.#deps.database.reader, id);
    if (row === undefined) throw new PlatformError('services.webhook_not_found');
    const post = this.#deps.post.prepare(row, this.#example(row));
    const result = await this.#deps.post.send({ ...post, mostMs: this.#deps.pace.testMostMs });
    await this.#keep(row, post, result);
    return {
      delivered: result.delivered,
      status: result.status,
      reason: result.delivered ? null : result.reason,
      duration_ms: Math.round(result.durationMs),
    };
  }

  /** The latest attempts to deliver, newest first. @throws as `get` */
  async attempts(ref: ServiceRef, id: string, query: WebhookAttemptsQuery): Promise<WebhookAttemptPage> {
    return this.#deps.attempts.page(await this.#require(this.#deps.database.reader, ref, id), query);
  }

  /** The body of the event that is sent next, in either format; while none waits, that of an example. @throws as `get` */
  async preview(ref: ServiceRef, id: string): Promise<WebhookPreview> {
    const { engine, reader } = this.#deps.database;
    const row = await this.#require(reader, ref, id);
    const [waiting] = await backlogs.after(engine, reader, id, 0, 1);
    const body = waiting === undefined ? this.#example(row) : eventBody(waiting);
    return {
      event: body.event,
      example: waiting === undefined,
      json: eventText('json', body),
      xml: eventText('xml', body),
    };
  }

  /** Sends the oldest waiting event of a webhook that is bad now, and not when its pause ends. @throws as `test` */
  async probe(ref: ServiceRef, id: string): Promise<Webhook> {
    const { clock, database } = this.#deps;
    await this.#require(database.reader, ref, id);
    await counted(this.#tests.consume(ref.companyId));
    await database.write(async (writer) => {
      await lock(database.engine, writer, 'services', [ref.serviceId]);
      const row = await this.#require(writer, ref, id);
      if (!maySend(row) || !(await makeProbeDue(writer, id, clock.now()))) return;
      await this.#log(writer, ref, 'Webhook tried again on request', row);
      await database.notify(writer, WEBHOOK_CHANNEL, id);
    });
    return this.get(ref, id);
  }

  #example(row: WebhookRow): ChangeEvent {
    const [event = 'connection_created'] = JSON.parse(row.events) as string[];
    const example = {
      id: `${EXAMPLE_ID}${randomBytes(6).toString('hex')}`,
      event,
      person_user_id: `${EXAMPLE_ID}${'0'.repeat(12)}`,
      share_code: null,
      customer_type: 'person' as const,
      at: isoTime(this.#deps.clock.now()),
      test: true,
    };
    return example;
  }

  /** A test tells what became of it also while nothing can be saved. */
  async #keep(row: WebhookRow, post: Post, result: PostResult): Promise<void> {
    const { attempts, database } = this.#deps;
    const rows = attempts.single(row, post.sent, result);
    await database
      .write((writer) => attempts.save(writer, rows))
      .catch((error: unknown) => {
        if (!isWritesPaused(error)) throw error;
      });
  }

  /** Writes another configuration, and tells those that deliver. */
  async #change(
    ref: ServiceRef,
    id: string,
    message: string,
    change: (row: WebhookRow, now: number) => { values: Partial<WebhookRow>; generated?: string | undefined },
  ): Promise<WebhookWithSecret> {
    const { clock, database } = this.#deps;
    const now = clock.now();
    return database.write(async (writer) => {
      await lock(database.engine, writer, 'services', [ref.serviceId]);
      const row = await this.#require(writer, ref, id);
      const { values, generated } = change(row, now);
      const changes = { ...values, version: row.version + 1, updated_at: now };
      await updateWebhook(writer, id, changes);
      const changed = { ...row, ...changes };
      await this.#log(writer, ref, message, changed);
      if (changed.health !== row.health) {
        const entry = transitionEntry(row, changed.health, 'switched_on');
        await this.#deps.logs.write(writer, { ...ref, ...entry });
      }
      await database.notify(writer, WEBHOOK_CHANNEL, `${id}${CONFIGURATION_MARK}`);
      return {
        ...this.#view(changed, (await backlogsOf(database.engine, writer, [id])).get(id)),
        ...once(generated),
      };
    });
  }

  #settings(key: WebhookKey, request: UpdateWebhookRequest, present: WebhookRow | undefined) {
    const url = request.url ?? present?.url ?? '';
    const reason = checkTargetUrl(url, { allowLoopback: this.#deps.allowLoopback });
    if (reason !== undefined) throw new PlatformError('services.webhook_url_invalid', { text: reason });
    const mode = request.auth_type ?? present?.auth_type ?? 'hmac';
    const kept = present && {
      secrets: decryptSecrets(this.#deps.secrets, present),
      sameOrigin: new URL(present.url).origin === new URL(url).origin,
    };
    const secrets = mergeSecrets(request, mode, kept, this.#deps.headerName);
    let generated: string | undefined;
    if (mode === 'hmac' && secrets.hmac_secret === null) {
      generated = this.#deps.ids.token(32);
      secrets.hmac_secret = generated;
    }
    const values = {
      url,
      events:
        request.events === undefined
          ? (present?.events ?? '[]')
          : JSON.stringify([...new Set(request.events)]),
      format: request.format ?? present?.format ?? 'json',
      auth_type: mode,
      secrets: encryptSecrets(this.#deps.secrets, key, secrets),
      encrypt_payload: chosen(request.encrypt_payload, present?.encrypt_payload ?? 0),
      enabled: chosen(request.enabled, present?.enabled ?? 1),
      paused: chosen(request.paused, present?.paused ?? 0),
    } as const;
    return { values, generated };
  }

  async #require(reader: Reader, ref: ServiceRef, id: string): Promise<WebhookRow> {
    await this.#deps.services.require(reader, ref);
    const row = await webhookOf(reader, ref.serviceId, id);
    if (row === undefined) throw new PlatformError('services.webhook_not_found');
    return row;
  }

  #log(writer: Writer, ref: ServiceRef, message: string, row: WebhookRow): Promise<void> {
    const metadata = {
      webhook_id: row.id,
      url: row.url,
      events: JSON.parse(row.events) as string[],
      format: row.format,
      auth_type: row.auth_type,
      encrypt_payload: row.encrypt_payload === 1,
      enabled: row.enabled === 1,
      paused: row.paused === 1,
    };
    return this.#deps.logs.write(writer, { ...ref, type: 'webhook', message, metadata });
  }

  #view(row: WebhookRow, backlog: { count: number; oldest: number } | undefined): Webhook {
    const secrets = decryptSecrets(this.#deps.secrets, row);
    const masked = Object.fromEntries(SECRET_MEMBERS.map((member) => [member, mask(secrets[member])]));
    const until = secrets.previous?.until ?? 0;
    return {
      id: row.id,
      url: row.url,
      events: JSON.parse(row.events) as string[],
      format: row.format,
      auth_type: row.auth_type,
      encrypt_payload: row.encrypt_payload === 1,
      enabled: row.enabled === 1,
      paused: row.paused === 1,
      health: row.health,
      health_changed_at: isoTime(row.health_changed_at),
      next_probe_at: row.probe_at === null ? null : isoTime(row.probe_at),
      last_failure: row.last_failure === null ? null : (JSON.parse(row.last_failure) as WebhookFailure),
      backlog: backlog?.count ?? 0,
      oldest_backlog_at: backlog === undefined ? null : isoTime(backlog.oldest),
      ...(masked as Pick<Webhook, (typeof SECRET_MEMBERS)[number]>),
      ...(until > this.#deps.clock.now() && { previous_secret_until: isoTime(until) }),
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    };
  }
}

const chosen = (sent: boolean | undefined, otherwise: Flag): Flag =>
  sent === undefined ? otherwise : flag(sent);

function once(generated: string | undefined): { hmac_secret_once?: string } {
  return generated === undefined ? {} : { hmac_secret_once: generated };
}
