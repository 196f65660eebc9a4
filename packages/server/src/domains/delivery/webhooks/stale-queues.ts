import { setImmediate } from 'node:timers/promises';
import { limits, type WebhookFailure } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { inMail } from '../../../core/mail.ts';
import { WriteSteps } from '../../../db/write-steps.ts';
import type { Core } from '../../domain.ts';
import type { LoggedCount, ServiceLogs } from '../../operations/index.ts';
import {
  deleteQueuedBefore,
  maySend,
  type QueueAges,
  queueAges,
  type StaleQueue,
  updateWebhook,
} from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No mail goes out, and nothing is deleted, before an event has waited this long. */
const STALE_MS = HOUR_MS;

/** From which age of the oldest row how often a mail goes out (wire 6.5). The longest age comes first. */
const alertSchedule = [
  { ageMs: 5 * DAY_MS, everyMs: HOUR_MS },
  { ageMs: 2 * DAY_MS, everyMs: DAY_MS },
  { ageMs: STALE_MS, everyMs: Number.POSITIVE_INFINITY },
] as const;

/** Webhooks whose queues are looked at together. */
const PAGE = 500;

interface Deps extends Pick<Core, 'availability' | 'clock' | 'database' | 'log' | 'timers'> {
  readonly mail: Pick<Core['mail'], 'send'>;
  readonly logs: ServiceLogs;
}

/** What age does to a queue: mails to the service's admin, and at seven days the end. */
export class StaleQueues {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async run(stopping?: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now();
    for (let after: string | undefined = ''; after !== undefined && !stopping?.aborted; ) {
      const page: QueueAges = await queueAges(this.#deps.database.reader, after, PAGE, now - STALE_MS);
      for (const queue of page.stale) {
        if (stopping?.aborted) return;
        try {
          if (queue.oldest < now - limits.webhookRetentionMs) await this.#purge(queue, stopping);
          else await this.#alert(queue, now);
        } catch (error) {
          if (this.#deps.availability.failed('saving', error)) throw error;
          // One company may be frozen while it moves: the queues of others do not wait for it.
          this.#deps.log.warn(
            { err: error, webhook: queue.id },
            'a stale webhook queue could not be handled; the next sweep tries again',
          );
        }
      }
      after = page.next;
      await setImmediate();
    }
  }

  async #alert(queue: StaleQueue, now: number): Promise<void> {
    const age = now - queue.oldest;
    const due = alertSchedule.find(({ ageMs }) => age >= ageMs);
    if (due === undefined) return;
    // Of what waits for some hours only, a mail goes out where deliveries fail; a busy queue is no news, nor one that is paused.
    if (due.ageMs === STALE_MS && (!maySend(queue) || queue.health === 'running')) return;
    const { alerted_at: before } = queue;
    // An earlier mail was about events that have arrived.
    const isNews = before === null || before < queue.oldest;
    // Who paused it knows: once a day is enough.
    const everyMs = maySend(queue) ? due.everyMs : Math.max(due.everyMs, DAY_MS);
    if (!isNews && now - before < everyMs) return;
    try {
      await this.#deps.mail.send(alertMail(queue, now));
    } catch (error) {
      this.#deps.log.error(
        { err: error, webhook: queue.id },
        'mail about a stale webhook queue failed; it is tried again',
      );
      return;
    }
    await this.#deps.database.write(async (writer) => {
      await updateWebhook(writer, queue.id, { alerted_at: now });
      await this.#deps.logs.write(writer, {
        companyId: queue.company_id,
        serviceId: queue.service_id,
        type: 'email',
        message: 'Mail about a stale webhook queue sent',
        metadata: { webhook_id: queue.id, oldest: isoTime(queue.oldest) },
      });
    });
  }

  /** Deletes what is too old, in bounded steps, and says so once in the service's log. */
  async #purge(queue: StaleQueue, stopping?: AbortSignal): Promise<void> {
    const { clock, database, logs } = this.#deps;
    const before = clock.now() - limits.webhookRetentionMs;
    let logged: LoggedCount | undefined;
    const steps = new WriteSteps(this.#deps);
    for (let full = true; full && !stopping?.aborted; ) {
      const step = await steps.take(async (writer, most) => {
        const rows = await deleteQueuedBefore(database.engine, writer, queue.id, before, most);
        if (rows === 0) return { rows, full: false, entry: logged };
        const entry = await logs.writeCount(writer, logged, {
          companyId: queue.company_id,
          serviceId: queue.service_id,
          type: 'purge',
          message: 'Undelivered webhook events purged',
          metadata: { channel: 'webhook', webhook_id: queue.id, oldest: isoTime(queue.oldest) },
          count: rows,
        });
        return { rows, full: rows >= most, entry };
      });
      logged = step.entry;
      full = step.full;
    }
  }
}

function alertMail(queue: StaleQueue, now: number) {
  const days = Math.floor((now - queue.oldest) / DAY_MS);
  const age = days < 2 ? `${Math.floor((now - queue.oldest) / HOUR_MS)} h` : `${days} days`;
  const failure =
    queue.last_failure === null ? undefined : (JSON.parse(queue.last_failure) as WebhookFailure);
  const service = inMail(queue.service_name);
  return {
    to: queue.admin_email,
    subject: `Webhook of ${service}: events wait for ${age}`,
    text: [
      `Events for the webhook ${queue.url} of your service ${service} ${maySend(queue) ? 'cannot be delivered' : 'wait'}.`,
      `The oldest has waited since ${isoTime(queue.oldest)}.`,
      ...(failure === undefined ? [] : [`The last attempt failed at ${failure.at}: ${failure.reason}.`]),
      '',
      whenSent(queue),
      'You can also fetch what waits with your data client:',
      '',
      `GET /api/company-data/changes?webhook_id=${queue.id}`,
      '',
      'After 7 days undelivered events are deleted and cannot be brought back.',
    ].join('\n'),
  };
}

function whenSent({ enabled, paused }: StaleQueue): string {
  if (enabled === 0) return 'The webhook is switched off: they are sent once it is switched on again.';
  if (paused === 1) return 'The webhook is paused: they are sent, the oldest first, once it is resumed.';
  return 'The platform tries again every 10 minutes; an event counts as delivered when your endpoint answers 200.';
}
