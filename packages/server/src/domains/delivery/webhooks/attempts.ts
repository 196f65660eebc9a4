import {
  limits,
  type WebhookAttempt,
  type WebhookAttemptPage,
  type WebhookAttemptsQuery,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { attemptsOf, deleteOldAttempts, insertAttempts } from './attempt-store.ts';
import type { WebhookAttemptsRow, WebhookRow } from './tables.ts';
import type { PostResult, WebhookBody } from './webhook-post.ts';

type WebhookRef = Pick<WebhookRow, 'company_id' | 'id'>;

/** An attempt as it is stored. Members that would be null are missing. */
export interface StoredAttempt {
  readonly id: string;
  readonly at: number;
  readonly event: string;
  readonly event_id: string;
  readonly test?: true;
  readonly status?: number;
  readonly kind?: NonNullable<WebhookAttempt['kind']>;
  readonly reason?: string;
  readonly ms: number;
  readonly answer?: string;
}

/** Attempts in one row: with the longest answers it is about as long as a value. */
const ROW_MOST = 50;
/** Rows that were not needed any more are deleted with every so many saves. */
const SAVES_BETWEEN_DELETIONS = 16;

interface Deps extends Pick<Core, 'clock' | 'ids'> {
  readonly database: Pick<Core['database'], 'engine' | 'reader'>;
}

/**
 * What became of the POSTs of webhooks: the latest of each are kept. They wait in memory until a transaction that is written
 * anyway takes them along, many in one row, because a row for each would cost as much as delivering it. Those that follow others
 * at once are let go before they are written.
 */
export class Attempts {
  readonly #deps: Deps;
  readonly #waiting = new Map<string, { webhook: WebhookRef; attempts: StoredAttempt[] }>();
  /** Webhooks of which rows were added since old ones were deleted. */
  #added = new Map<string, WebhookRef>();
  #saves = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether there is anything to take. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Remembers an attempt until it is taken. */
  note(webhook: WebhookRef, sent: WebhookBody, result: PostResult): void {
    let of = this.#waiting.get(webhook.id);
    if (of === undefined) {
      of = { webhook, attempts: [] };
      this.#waiting.set(webhook.id, of);
    }
    of.attempts.push(this.#stored(sent, result));
    if (of.attempts.length >= 2 * limits.webhookAttemptsKept) keepLatest(of.attempts);
  }

  /** Takes what waits, of one webhook or of all, as rows to save. */
  take(webhookId?: string): WebhookAttemptsRow[] {
    const taken = webhookId === undefined ? [...this.#waiting.keys()] : [webhookId];
    return taken.flatMap((id) => {
      const of = this.#waiting.get(id);
      this.#waiting.delete(id);
      return of === undefined ? [] : rowsOf(of.webhook, of.attempts);
    });
  }

  /** An attempt by itself, as the row to save. */
  single(webhook: WebhookRef, sent: WebhookBody, result: PostResult): WebhookAttemptsRow[] {
    return rowsOf(webhook, [this.#stored(sent, result)]);
  }

  /**
   * Writes rows in the caller's transaction, before any change of the queues of their webhooks: whoever deletes a webhook locks it
   * first, and then its queue.
   */
  async save(writer: Writer, rows: readonly WebhookAttemptsRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { engine } = this.#deps.database;
    await insertAttempts(engine, writer, rows);
    for (const { company_id, webhook_id } of rows)
      this.#added.set(webhook_id, { company_id, id: webhook_id });
    if (++this.#saves % SAVES_BETWEEN_DELETIONS !== 0) return;
    const added = [...this.#added.values()];
    this.#added = new Map();
    await deleteOldAttempts(engine, writer, added, limits.webhookAttemptsKept);
  }

  /** The latest attempts, newest first. */
  async page(
    webhook: WebhookRef,
    { only, limit = limits.pageDefault, offset = 0 }: WebhookAttemptsQuery,
  ): Promise<WebhookAttemptPage> {
    const rows = await attemptsOf(this.#deps.database.reader, webhook);
    const all = rows
      .flatMap((row) => JSON.parse(row.attempts) as StoredAttempt[])
      .sort((one, other) => (one.id < other.id ? 1 : -1))
      .slice(0, limits.webhookAttemptsKept)
      .map(shown)
      .filter(({ delivered, test }) => (only === 'failed' ? !delivered : only !== 'tests' || test));
    return { total: all.length, items: all.slice(offset, offset + limit) };
  }

  #stored({ event, id, test }: WebhookBody, result: PostResult): StoredAttempt {
    const { clock, ids } = this.#deps;
    return {
      id: ids.uuid(),
      at: clock.now() - Math.round(result.durationMs),
      event,
      event_id: id,
      ...(test === true && { test }),
      ...(result.status !== null && { status: result.status, answer: result.answer }),
      ...(!result.delivered && { kind: result.kind, reason: result.reason }),
      ms: Math.round(result.durationMs),
    };
  }
}

function keepLatest(attempts: StoredAttempt[]): void {
  attempts.splice(0, attempts.length - limits.webhookAttemptsKept);
}

function rowsOf({ company_id, id: webhook_id }: WebhookRef, attempts: StoredAttempt[]): WebhookAttemptsRow[] {
  if (attempts.length > limits.webhookAttemptsKept) keepLatest(attempts);
  const rows: WebhookAttemptsRow[] = [];
  for (let from = 0; from < attempts.length; from += ROW_MOST) {
    const some = attempts.slice(from, from + ROW_MOST);
    const id = some.at(-1)?.id ?? '';
    rows.push({ company_id, webhook_id, id, size: some.length, attempts: JSON.stringify(some) });
  }
  return rows;
}

function shown({ at, ms, test, status, kind, reason, answer, ...rest }: StoredAttempt): WebhookAttempt {
  return {
    ...rest,
    at: isoTime(at),
    test: test ?? false,
    delivered: kind === undefined,
    status: status ?? null,
    kind: kind ?? null,
    reason: reason ?? null,
    duration_ms: ms,
    answer: answer ?? null,
  };
}
