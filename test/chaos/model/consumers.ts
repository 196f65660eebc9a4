import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { SILENCE_MS, WRITTEN_DOWN_MS } from '@symbolon/testkit/limits';
import type { Random } from '@symbolon/testkit/platform/random';
import { type Receiver, startReceiver } from '@symbolon/testkit/servers/receiver';
import { resetNow } from '@symbolon/testkit/servers/tcp-proxy';
import type { Answer, Call } from '../support/caller.ts';
import type { Shop } from './company.ts';
import { NONE } from './person.ts';
import { readWrapper } from './values.ts';

export interface Event {
  readonly id: string;
  readonly event: string;
  readonly person_user_id: string;
  readonly at: string;
  readonly slug?: string;
  readonly value?: string;
}

/** A slot whose value the event does not carry: the consumer reads the connection. */
export const TO_BE_READ = 'to be read';

/** What a consumer believes, by its events alone. */
export class Replica {
  readonly faults: string[] = [];
  readonly #states = new Map<string, 'on' | 'off'>();
  readonly #slots = new Map<string, string>();

  /** @param mayBeLate whether an edit of the person in doubt may have been carried out late, by the person's id */
  apply({ event, person_user_id: person, slug = '', value }: Event, mayBeLate: (person: string) => boolean) {
    const key = `${person} ${slug}`;
    if (event === 'connection_created') {
      this.#states.set(person, 'on');
      for (const slot of [...this.#slots.keys()]) if (slot.startsWith(`${person} `)) this.#slots.delete(slot);
    } else if (event === 'connection_deleted') this.#states.set(person, 'off');
    else if (event === 'field_deleted') this.#slots.set(key, NONE);
    else if (event === 'consent_accepted') this.#slots.set(key, TO_BE_READ);
    else if (event === 'field_updated' && value !== undefined) {
      if (this.#states.get(person) !== 'on')
        this.faults.push(`a value of ${key} came without its connection`);
      const { edit } = readWrapper(value);
      const before = Number(this.#slots.get(key));
      if (edit < before && !mayBeLate(person)) {
        this.faults.push(`${key} went from edit ${before} back to ${edit}`);
      }
      this.#slots.set(key, String(edit));
    }
  }

  state(person: string): 'on' | 'off' {
    return this.#states.get(person) ?? 'off';
  }

  slot(person: string, slug: string): string | undefined {
    return this.#slots.get(`${person} ${slug}`);
  }
}

/** A call of the data client of a shop, with a valid token. */
export type DataCall = (shop: Shop, call: Call) => Promise<Answer>;

const LIMIT = 40;

interface FeedWorld {
  readonly shop: Shop;
  readonly call: DataCall;
  readonly byWord: boolean;
  /** Whether something was broken between two moments. */
  readonly excused: (from: number, until: number) => boolean;
  readonly mayBeLate: (person: string) => boolean;
}

/** Drains the feed of a service, with `after` or without. */
export class FeedConsumer {
  readonly replica = new Replica();
  readonly faults: string[] = [];
  repeated = 0;
  /** Whether the last answer had nothing, so that all is drained. */
  isEmpty = false;
  readonly #of: FeedWorld;
  #after = '';
  /** Those that a call confirmed which was answered. */
  readonly #confirmed = new Set<string>();
  readonly #given = new Map<string, number>();

  constructor(of: FeedWorld) {
    this.#of = of;
  }

  async live(goesOn: () => boolean, random: Random): Promise<void> {
    while (goesOn()) {
      await this.drain();
      await pause(this.isEmpty ? random.whole(50, 250) : 5);
    }
  }

  async drain(): Promise<void> {
    const after = this.#of.byWord ? `&after=${this.#after}` : '';
    const path = `/api/company-data/changes?limit=${LIMIT}${after}`;
    const { outcome, body } = await this.#of.call(this.#of.shop, { method: 'GET', path });
    this.isEmpty = outcome === 'done' && body.changes.length === 0;
    if (outcome !== 'done') return pause(50);
    const events = body.changes as Event[];
    if (this.#of.byWord) this.#confirm(events);
    const now = performance.now();
    for (const event of events) {
      const before = this.#given.get(event.id);
      this.#given.set(event.id, now);
      if (before === undefined) this.replica.apply(event, this.#of.mayBeLate);
      else this.#again(event, before, now);
    }
    this.#after = events.at(-1)?.id ?? this.#after;
  }

  /** What was given up to the word, and is not in the answer to it, is confirmed for ever. */
  #confirm(events: readonly Event[]): void {
    const again = new Set(events.map(({ id }) => id));
    for (const id of this.#given.keys()) if (!again.has(id)) this.#confirmed.add(id);
  }

  #again({ id, event }: Event, before: number, now: number): void {
    this.repeated++;
    if (this.#confirmed.has(id)) this.faults.push(`${event} ${id} came again after it was confirmed`);
    if (!this.#of.byWord && !this.#of.excused(before - SILENCE_MS, now)) {
      this.faults.push(`${event} ${id} came again though nothing was broken`);
    }
  }
}

export const moods = ['ok', 'error', 'reset', 'lost answer', 'hang'] as const;
export type Mood = (typeof moods)[number];

interface Delivered {
  readonly event: Event;
  readonly at: number;
  accepted: boolean;
}

/** An endpoint of a webhook. */
export class WebhookReceiver {
  readonly delivered: Delivered[] = [];
  mood: Mood = 'ok';
  #receiver!: Receiver;

  private constructor() {}

  static async start(): Promise<WebhookReceiver> {
    const own = new WebhookReceiver();
    own.#receiver = await startReceiver((...taken) => own.#take(...taken));
    return own;
  }

  get url(): string {
    return this.#receiver.url;
  }

  stop(): Promise<void> {
    return this.#receiver.stop();
  }

  /** What came, each event once, as it came for the first time. @param excused as of the feed */
  judge(excused: (from: number, until: number) => boolean, timesOrder = true) {
    const faults: string[] = [];
    const first = new Map<string, Delivered>();
    const latest = new Map<string, string>();
    let repeated = 0;
    for (const delivered of this.delivered) {
      const { event, at } = delivered;
      const group = event.event.startsWith('connection_') ? event.event : 'slot';
      const key = `${event.person_user_id} ${group} ${event.slug ?? ''} ${event.at}`;
      const before = first.get(key);
      if (before !== undefined) {
        repeated++;
        if (before.accepted && !excused(before.at - WRITTEN_DOWN_MS, at)) {
          faults.push(`${key} was delivered again though it was accepted`);
        }
        before.accepted ||= delivered.accepted;
        continue;
      }
      first.set(key, { ...delivered });
      const person = event.person_user_id;
      if (timesOrder && event.at < (latest.get(person) ?? '')) faults.push(`${key} came after a later event`);
      latest.set(person, event.at);
    }
    return { faults, repeated, events: [...first.values()].map(({ event }) => event) };
  }

  #take(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const event = JSON.parse(body.toString()) as Event;
    const delivered: Delivered = { event, at: performance.now(), accepted: false };
    this.delivered.push(delivered);
    switch (this.mood) {
      case 'ok':
        delivered.accepted = true;
        response.end();
        break;
      case 'error':
        response.writeHead(500).end();
        break;
      case 'hang':
        break;
      case 'reset':
      case 'lost answer':
        resetNow(request.socket);
        break;
    }
  }
}
