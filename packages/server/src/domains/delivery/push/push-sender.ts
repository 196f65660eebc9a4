import { limits, type PushedSignalKind, parseRetryAfter, pushKinds } from '@symbolon/protocol';
import { LRUCache } from 'lru-cache';
import { entriesMost } from '../../../core/cache-bounds.ts';
import { FairTurns } from '../../../core/fair-turns.ts';
import { Shares } from '../../../core/shares.ts';
import type { PersonSignal } from '../../../events/person-signals.ts';
import type { OutgoingResult } from '../../../outgoing/result.ts';
import type { OutgoingSender } from '../../../outgoing/sender.ts';
import type { Core } from '../../domain.ts';
import { personHome } from '../../people/index.ts';
import { pushRequest } from './push-message.ts';
import { deleteBefore, deleteSubscription, subscriptionsOf } from './store.ts';
import { openSubscription, type Subscription } from './subscription.ts';
import type { PushSubscriptionRow } from './tables.ts';
import type { Vapid } from './vapid.ts';

const LIFETIME_MS = limits.pushLifetimeSeconds * 1000;
/** Messages that are sent or wait for their next try: for one person, and in all. What comes beyond is dropped. */
const UNDER_WAY = { perParty: 3 * limits.pushDevicesMost, inAll: 5_000 };
/** Requests at a time: to one push service, and in all. */
const TURNS = { perParty: 32, inAll: 128, waitingMost: 2_000 };
/** Pauses before the next try, where the push service does not say how long. */
const PAUSES_MS = [2_000, 8_000, 30_000, 60_000] as const;
/** How often the log tells the same of one push service. */
const TOLD_EVERY_MS = 60 * 60_000;
const TOLD_MOST = 1_000;

interface Deps extends Pick<Core, 'availability' | 'clock' | 'database' | 'log' | 'secrets' | 'timers'> {
  readonly vapid: Vapid;
  readonly subject: string;
  readonly sender: Pick<OutgoingSender, 'send' | 'stop'>;
}

interface Message {
  readonly row: PushSubscriptionRow;
  readonly subscription: Subscription;
  readonly host: string;
  readonly kind: PushedSignalKind;
  readonly about: string;
  /** When what it is about needs no answer any more. */
  readonly deadline: number;
}

/**
 * Sends push messages. What waits is in memory alone: a message is about something that lives for minutes and that the
 * person's pages find by themselves, so it would be late after a restart.
 */
export class PushSender {
  readonly #deps: Deps;
  readonly #turns = new FairTurns(TURNS);
  readonly #underWay = new Shares(UNDER_WAY);
  readonly #told = new LRUCache<string, true>({ ...entriesMost(TOLD_MOST), ttl: TOLD_EVERY_MS, perf: Date });
  readonly #stopping = new AbortController();
  readonly #work = new Set<Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Wakes all browsers of a person. Returns at once and never fails. */
  send(personId: string, { kind, id }: PersonSignal): void {
    if (this.#stopping.signal.aborted || !isPushed(kind)) return;
    this.#keep(this.#sendAll(personId, { kind, about: id }));
  }

  /** Gives up what waits. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#deps.sender.stop();
    await Promise.all(this.#work);
  }

  #keep(sending: Promise<void>): void {
    const work: Promise<void> = sending
      .catch((error: unknown) => {
        if (this.#deps.availability.explains(error)) return;
        this.#deps.log.warn({ err: error }, 'a push message could not be sent');
      })
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #sendAll(personId: string, signal: Pick<Message, 'kind' | 'about'>): Promise<void> {
    const { clock, database, secrets } = this.#deps;
    const deadline = clock.now() + LIFETIME_MS;
    const rows = await subscriptionsOf(database.reader, personId);
    if (rows.length === 0) return;
    const [person] = await personHome(database.reader, personId);
    if (person === undefined) return;
    const current = rows.filter(({ epoch }) => epoch >= person.epoch);
    if (current.length < rows.length)
      await database.write((writer) => deleteBefore(writer, personId, person.epoch));
    for (const row of current) {
      if (this.#underWay.exceeded(personId) !== undefined) return;
      const subscription = openSubscription(secrets, row);
      const host = new URL(subscription.endpoint).host;
      this.#underWay.take(personId);
      this.#keep(
        this.#deliver({ row, subscription, host, deadline, ...signal }).finally(() =>
          this.#underWay.giveBack(personId),
        ),
      );
    }
  }

  async #deliver(message: Message): Promise<void> {
    const { clock, database } = this.#deps;
    for (let tries = 0; ; tries++) {
      const result = await this.#turns.run(message.host, () => this.#try(message));
      if (result === 'late' || isTaken(result)) return;
      if (isGone(result)) {
        await database.write((writer) => deleteSubscription(writer, message.row));
        return;
      }
      const pause = PAUSES_MS[tries];
      if (pause === undefined || !isTemporary(result)) return this.#tell(message, result);
      const wait = Math.max(pause, waitAskedFor(result, clock.now()));
      if (clock.now() + wait >= message.deadline) return this.#tell(message, result);
      await this.#sleep(wait);
      if (this.#stopping.signal.aborted) return;
    }
  }

  async #try({ subscription, kind, about, deadline }: Message): Promise<OutgoingResult | 'late'> {
    const { clock, sender, subject, vapid } = this.#deps;
    const left = Math.ceil((deadline - clock.now()) / 1000);
    if (left <= 0 || this.#stopping.signal.aborted) return 'late';
    const keys = await vapid.keys();
    const request = pushRequest(subscription, { kind, about, ttlSeconds: left, subject, keys });
    return sender.send(request, this.#stopping.signal);
  }

  /** Endpoints are secrets: the log has the host alone. */
  #tell({ host }: Message, result: OutgoingResult): void {
    if (this.#stopping.signal.aborted) return;
    const reason = result.kind === 'answered' ? `status ${result.status}` : result.reason;
    if (this.#told.has(`${host} ${reason}`)) return;
    this.#told.set(`${host} ${reason}`, true);
    this.#deps.log.warn({ host, reason }, 'a push service does not take messages');
  }

  #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { signal } = this.#stopping;
    const cancel = this.#deps.timers.after(ms, resolve);
    const wake = () => resolve();
    signal.addEventListener('abort', wake, { once: true });
    return promise.finally(() => {
      cancel();
      signal.removeEventListener('abort', wake);
    });
  }
}

const isTaken = (result: OutgoingResult) =>
  result.kind === 'answered' && result.status >= 200 && result.status < 300;

/** RFC 8030 section 7.3: the browser has unsubscribed, or the push service forgot it. */
const isGone = (result: OutgoingResult) =>
  result.kind === 'answered' && (result.status === 404 || result.status === 410);

const isTemporary = (result: OutgoingResult) =>
  result.kind === 'answered'
    ? result.status === 429 || result.status >= 500
    : result.reason !== 'address_refused' && result.reason !== 'aborted';

/** Milliseconds that the answer asks to wait. */
function waitAskedFor(result: OutgoingResult, now: number): number {
  return (result.kind === 'answered' && parseRetryAfter(result.retryAfter ?? null, now)) || 0;
}

function isPushed(kind: PersonSignal['kind']): kind is PushedSignalKind {
  return Object.hasOwn(pushKinds, kind);
}
