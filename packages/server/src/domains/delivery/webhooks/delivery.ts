import type { WebhookFailure, WebhookHealth } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import type { Claims } from '../change-feed/claims.ts';
import { eventBody } from '../change-feed/event-body.ts';
import { backlogs, type PendingEvent } from '../change-feed/event-queues.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { Attempts } from './attempts.ts';
import { type HealthTrigger, healthTransitions, transitionEntry } from './health.ts';
import type { Lease, Leases } from './leases.ts';
import type { WebhookPace } from './pace.ts';
import {
  changeHealth,
  type DeliverableWebhook,
  EVERYTHING,
  maySend,
  newestQueued,
  webhookForDelivery,
} from './store.ts';
import type { WebhookRow } from './tables.ts';
import type { Post, PostResult, WebhookPost } from './webhook-post.ts';

/** Rows of a queue that are read at once: what is parked may be more than memory holds. */
const PAGE = 50;
/** Requests of a page that are made ready together: one at a time each would find the caches of the processor cold. */
const PREPARED = 10;

/** What others ask of a run while it goes on. */
export interface QueueRun {
  /** To end after the POST in hand. */
  stopping: boolean;
  /** The configuration must be read again. */
  changed: boolean;
  /** The queue has grown: it must look once more before it ends. */
  again: boolean;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'instruments' | 'log'> {
  readonly logs: ServiceLogs;
  readonly post: WebhookPost;
  readonly leases: Leases;
  readonly acknowledgements: Acknowledgements;
  readonly attempts: Pick<Attempts, 'note' | 'take' | 'save'>;
  /** Of the backlogs: who drains one by hand. */
  readonly claims: Pick<Claims, 'settled'>;
  readonly pace: Pick<WebhookPace, 'probePauseMs'>;
}

/**
 * Empties one webhook's queue: strictly first in, first out, one POST in flight (wire 3.3, 6.3, 6.5). Phases of a run:
 * 1. the lease makes this the only run anywhere; 2. a webhook that is bad waits for its probe, one that is unknown sends
 * its oldest row as one; 3. rows are sent in pages, each acknowledged in order; 4. the first that is not answered 200 parks
 * itself and all behind it.
 */
export class WebhookDelivery {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async run(webhookId: string, run: QueueRun): Promise<void> {
    const lease = await this.#deps.leases.acquire(webhookId);
    if (lease === undefined) return;
    try {
      await this.#empty(webhookId, lease, run);
    } finally {
      try {
        // The next holder of the lease must not see rows that were delivered.
        if (lease.shared) await this.#deps.acknowledgements.flush();
      } finally {
        await lease.release();
      }
    }
  }

  /** Resolves when nothing that was delivered is left in a queue. */
  settle(): Promise<void> {
    return this.#deps.acknowledgements.flush();
  }

  async #empty(webhookId: string, lease: Lease, run: QueueRun): Promise<void> {
    let after = await this.#deps.acknowledgements.deliveredThrough(webhookId);
    let webhook: DeliverableWebhook | undefined;
    while (!run.stopping && lease.valid) {
      // Within one process no signal is lost: what was read still holds.
      const known = !lease.shared && !run.changed && webhook?.health === 'running';
      run.changed = false;
      run.again = false;
      if (!known) webhook = await this.#ready(webhookId);
      if (webhook === undefined) return;
      const most = webhook.health === 'running' ? PAGE : 1;
      const { engine, reader } = this.#deps.database;
      const rows = await backlogs.after(engine, reader, webhookId, after, most);
      if (rows.length === 0) return;
      let posts: Post[] = [];
      for (const [index, row] of rows.entries()) {
        if (run.stopping || run.changed || !lease.valid) break;
        const place = index % PREPARED;
        if (place === 0) posts = this.#prepare(webhook, rows.slice(index, index + PREPARED));
        const post = posts[place];
        if (post === undefined) return;
        if (isTurned(webhook, row, post)) await this.#deps.acknowledgements.add(webhookId, row.seq);
        else if (!(await this.#deliver(webhook, row, post, lease))) return;
        after = row.seq;
      }
      // That was all there was, and whatever has come since has said so.
      if (rows.length < most && !run.again && !run.changed) return;
    }
  }

  /** The webhook when it may send: switched on, not paused, and not waiting for its probe. */
  async #ready(webhookId: string): Promise<DeliverableWebhook | undefined> {
    const [webhook] = await webhookForDelivery(this.#deps.database.reader, webhookId);
    if (webhook === undefined || !maySend(webhook)) return undefined;
    if (webhook.health === 'running') return webhook;
    if (!(await this.#deps.claims.settled([webhookId]))) return undefined;
    if (webhook.health !== 'bad') return webhook;
    if (webhook.probe_at !== null && webhook.probe_at > this.#deps.clock.now()) return undefined;
    const changes = await this.#deps.database.write((writer) => this.#turn(writer, webhook, 'probe_due', {}));
    return changes && { ...webhook, ...changes };
  }

  #prepare(webhook: DeliverableWebhook, rows: readonly PendingEvent[]): Post[] {
    return rows.map((row) => {
      const body = eventBody(row);
      // A live delivery mints its id, a replay carries the row's (wire 6.5).
      if (row.seq > webhook.parked_through) body.id = this.#deps.ids.uuid();
      return this.#deps.post.prepare(webhook, body);
    });
  }

  /** Sends one row; tells whether the queue may go on. */
  async #deliver(
    webhook: DeliverableWebhook,
    { seq, at }: Pick<PendingEvent, 'seq' | 'at'>,
    post: Post,
    lease: Lease,
  ): Promise<boolean> {
    lease.progressed();
    const result = await this.#deps.post.send(post, lease.lost);
    const { instruments, clock } = this.#deps;
    const outcome = result.delivered ? 'delivered' : result.kind;
    instruments.record('symbolon.webhooks.delivery.duration', result.durationMs / 1000, { outcome });
    if (result.delivered && seq > webhook.parked_through)
      instruments.record('symbolon.webhooks.delivery.latency', (clock.now() - at) / 1000, {});
    // Without the lease a failure says nothing: another process may already send to this endpoint.
    if (!result.delivered && !lease.valid) return false;
    this.#deps.attempts.note(webhook, post.sent, result);
    if (result.delivered) {
      if (webhook.health === 'unknown') return this.#recover(webhook, seq);
      const crowded = this.#deps.acknowledgements.add(webhook.id, seq);
      if (crowded !== undefined) await crowded;
      return true;
    }
    await this.#park(webhook, result);
    return false;
  }

  async #recover(webhook: DeliverableWebhook, seq: number): Promise<boolean> {
    const attempts = this.#deps.attempts.take(webhook.id);
    const changes = await this.#deps.database.write(async (writer) => {
      await this.#deps.attempts.save(writer, attempts);
      await this.#deps.acknowledgements.delete(writer, [seq]);
      const parked = webhook.parked_through === EVERYTHING ? await newestQueued(writer, webhook.id) : 0;
      return this.#turn(writer, webhook, 'probe_answered', {}, { parked_through: parked, alerted_at: null });
    });
    Object.assign(webhook, changes);
    return changes !== undefined;
  }

  async #park(webhook: DeliverableWebhook, result: PostResult & { delivered: false }): Promise<void> {
    const trigger = webhook.health === 'running' ? 'delivery_failed' : 'probe_failed';
    const { status, kind, reason } = result;
    const now = this.#deps.clock.now();
    const failure: WebhookFailure = { at: isoTime(now), status, kind, reason };
    this.#deps.log.info({ webhook: webhook.id, status, reason }, 'webhook delivery failed');
    const attempts = this.#deps.attempts.take(webhook.id);
    await this.#deps.database.write(async (writer) => {
      await this.#deps.attempts.save(writer, attempts);
      await this.#turn(
        writer,
        webhook,
        trigger,
        { status, reason },
        {
          probe_at: now + this.#deps.pace.probePauseMs,
          parked_through: EVERYTHING,
          last_failure: JSON.stringify(failure),
        },
      );
    });
  }

  /**
   * One transition of the health table, with its line in the service's log; undefined when the webhook is no longer in
   * the state that was read: a lease that ran out, a configuration that changed, or another process that changed the health.
   */
  async #turn(
    writer: Writer,
    webhook: DeliverableWebhook,
    trigger: HealthTrigger,
    metadata: Record<string, unknown>,
    more: Partial<Pick<WebhookRow, 'probe_at' | 'parked_through' | 'alerted_at' | 'last_failure'>> = {},
  ) {
    const health: WebhookHealth = healthTransitions[webhook.health][trigger] ?? webhook.health;
    const changes = { health, health_changed_at: this.#deps.clock.now(), probe_at: null, ...more };
    if (!(await changeHealth(writer, webhook, changes))) return undefined;
    const service = { companyId: webhook.company_id, serviceId: webhook.service_id };
    const entry = transitionEntry(webhook, health, trigger, metadata);
    await this.#deps.logs.write(writer, { ...service, ...entry });
    return changes;
  }
}

/** Whether a field event has become the other one, which the webhook has not asked for: the slot has changed since it was raised. */
function isTurned(
  { events }: Pick<DeliverableWebhook, 'events'>,
  raised: Pick<PendingEvent, 'event'>,
  { sent }: Pick<Post, 'sent'>,
): boolean {
  if (sent.event === raised.event) return false;
  const wanted = JSON.parse(events) as string[];
  return wanted.length > 0 && !wanted.includes(sent.event);
}
