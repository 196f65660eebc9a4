import { limits } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Core } from '../../domain.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import { deleteQueuedBefore, type StaleQueue, staleQueues, updateWebhook } from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** From which age of the oldest row how often a mail goes out (wire 6.5). The longest age comes first. */
const alertSchedule = [
  { ageMs: 5 * DAY_MS, everyMs: HOUR_MS },
  { ageMs: 2 * DAY_MS, everyMs: DAY_MS },
] as const;

const PURGE_MOST = 5000;

interface Deps extends Pick<Core, 'clock' | 'database' | 'log' | 'mail'> {
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
    for (const queue of await staleQueues(this.#deps.database.reader, now - DAY_MS * 2)) {
      if (stopping?.aborted) return;
      if (queue.oldest < now - limits.webhookRetentionMs) await this.#purge(queue, stopping);
      else await this.#alert(queue, now);
    }
  }

  async #alert(queue: StaleQueue, now: number): Promise<void> {
    const due = alertSchedule.find(({ ageMs }) => now - queue.oldest >= ageMs);
    if (due === undefined || (queue.alerted_at !== null && now - queue.alerted_at < due.everyMs)) return;
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
    const before = this.#deps.clock.now() - limits.webhookRetentionMs;
    for (;;) {
      const deleted = await this.#deps.database.write(async (writer) => {
        const count = await deleteQueuedBefore(writer, queue.id, before, PURGE_MOST);
        if (count > 0) {
          await this.#deps.logs.write(writer, {
            companyId: queue.company_id,
            serviceId: queue.service_id,
            type: 'purge',
            message: 'Undelivered webhook events purged',
            metadata: { channel: 'webhook', webhook_id: queue.id, count, oldest: isoTime(queue.oldest) },
          });
        }
        return count;
      });
      if (deleted < PURGE_MOST || stopping?.aborted) return;
    }
  }
}

function alertMail(queue: StaleQueue, now: number) {
  const days = Math.floor((now - queue.oldest) / DAY_MS);
  return {
    to: queue.admin_email,
    subject: `Webhook of ${queue.service_name}: events wait for ${days} days`,
    text: [
      `Events for the webhook ${queue.url} of your service ${queue.service_name} cannot be delivered.`,
      `The oldest has waited since ${isoTime(queue.oldest)}.`,
      '',
      'The platform tries again every 10 minutes; an event counts as delivered when your endpoint answers 200.',
      'You can also fetch what waits with your data client:',
      `GET /api/company-data/changes?webhook_id=${queue.id}`,
      '',
      'After 7 days undelivered events are deleted and cannot be brought back.',
    ].join('\n'),
  };
}
