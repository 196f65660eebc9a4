import { setTimeout as pause } from 'node:timers/promises';
import { sealed } from '@symbolon/testkit/actors/actors';
import { Sink } from '@symbolon/testkit/servers/sink';
import { editOf } from './actors.ts';
import { Calls, type TimedCall } from './calls.ts';
import { type Act, type ActName, type Customer, type Day, openDay } from './day.ts';
import { metered } from './metered.ts';
import type { Platform } from './platform.ts';
import { sized } from './setting.ts';
import { type Engine, Stack } from './stack.ts';
import { quantile } from './stats.ts';

/** How often each act is done, beside the others. */
const MIX: Readonly<Partial<Record<ActName, number>>> = {
  edit: 10,
  whoami: 5,
  token: 2,
  message: 2,
  'sign-in': 2,
  connect: 1,
  'challenge round': 1,
  'page of connections': 1,
  'list of documents': 1,
  document: 0.5,
  'run of a flow': 0.5,
};
const CUSTOMERS = sized(48, 4);
const VALUES = sized(200, 10);
const AT_ONCE = sized(16, 2);
const CAPACITY_MS = sized(15_000, 500);
/** Acts that wait at most: beyond it the platform does not keep up, and the latencies say so. */
const WAITING_MOST = 400;
const DRAIN_EVERY_MS = 200;
/** For what is on its way when the last act is done. */
const ARRIVAL_MOST_MS = 60_000;

/** What a part of the time was like. */
export interface Window {
  readonly acts: number;
  readonly p50: number;
  readonly p99: number;
  /** Bytes, of each process. */
  readonly rss: readonly number[];
}

export interface Soaked {
  readonly engine: Engine;
  /** Acts a second that are possible, and that were asked for. */
  readonly capacity: number;
  readonly rate: number;
  readonly windows: readonly Window[];
  readonly edits: number;
  readonly failures: readonly string[];
  /** Of the last edit of each person: not in the list, not in the feed, not at the webhook. */
  readonly lost: Readonly<Record<'list' | 'feed' | 'webhook', number>>;
}

/** A connection in the list of the company. */
interface Listed {
  readonly user_id: string;
  readonly values: Readonly<Record<string, { readonly value?: unknown } | undefined>>;
}

/** A mixed day on a platform of its own: one process on the embedded database, two on PostgreSQL. */
export class Soak implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #platforms: readonly Platform[];
  readonly #calls: readonly Calls[];
  readonly #day: Day;
  readonly #values: readonly string[];
  readonly #acts: readonly ActName[];
  readonly #last = new Map<string, string>();
  readonly #busy = new Set<Customer>();
  readonly #fed: Map<string, string>;
  readonly #told: Map<string, string>;
  readonly #failures: string[] = [];
  #turn = 0;
  #edits = 0;
  #after = '';

  private constructor(
    stack: AsyncDisposableStack,
    parts: { platforms: readonly Platform[]; calls: readonly Calls[]; day: Day; values: readonly string[] },
    arrived: { fed: Map<string, string>; told: Map<string, string> },
  ) {
    this.#stack = stack;
    this.#platforms = parts.platforms;
    this.#calls = parts.calls;
    this.#day = parts.day;
    this.#values = parts.values;
    this.#fed = arrived.fed;
    this.#told = arrived.told;
    this.#acts = spread(MIX);
  }

  static async open(engine: Engine): Promise<Soak> {
    await using disposables = new AsyncDisposableStack();
    const stack = disposables.use(await Stack.create(engine));
    await stack.start();
    const platforms = [stack.platform];
    if (engine === 'postgres') platforms.push(disposables.use(await stack.another()));
    const sql = disposables.use(await stack.sql());
    const day = await openDay(stack.platform, sql, CUSTOMERS);
    const told = new Map<string, string>();
    const sink = disposables.use(await Sink.start());
    sink.react = ({ body }) => {
      if (body.event === 'field_updated') told.set(body.person_user_id, textOf(body.value));
      sink.received.length = 0;
      return 200;
    };
    const { id, company } = day.service;
    await stack.platform.must('POST', `/api/services/${id}/webhooks`, {
      token: company.token,
      body: { url: sink.url },
    });
    const calls = platforms.map(({ url }) => new Calls(url, AT_ONCE));
    disposables.defer(async () => void (await Promise.all(calls.map((one) => one.close()))));
    const values = await Promise.all(Array.from({ length: VALUES }, (_, index) => sealed(`value ${index}`)));
    return new Soak(disposables.move(), { platforms, calls, day, values }, { fed: new Map(), told });
  }

  /** As many acts as a few clients get done that wait for nothing else. @returns a second */
  async capacity(): Promise<number> {
    const from = performance.now();
    let done = 0;
    const client = async () => {
      while (performance.now() - from < CAPACITY_MS) {
        await this.#act();
        done++;
      }
    };
    await Promise.all([...Array.from({ length: AT_ONCE }, client), this.#drainUntil(from + CAPACITY_MS)]);
    return done / ((performance.now() - from) / 1000);
  }

  /** So many acts a second, whatever they take: each counts from when it was due. */
  async window(seconds: number, rate: number): Promise<Window> {
    const from = performance.now();
    const until = from + seconds * 1000;
    const latencies: number[] = [];
    const open = new Set<Promise<void>>();
    const draining = this.#drainUntil(until);
    for (let begun = 0; ; begun++) {
      const due = from + (begun / rate) * 1000;
      if (due >= until) break;
      const early = due - performance.now();
      if (early > 0) await pause(early);
      if (open.size >= WAITING_MOST) await Promise.race(open);
      const one: Promise<void> = this.#act().finally(() => {
        latencies.push(performance.now() - due);
        open.delete(one);
      });
      open.add(one);
    }
    await Promise.all([...open, draining]);
    const usages = await Promise.all(this.#platforms.map((platform) => platform.usage()));
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    return { acts: latencies.length, p50, p99, rss: usages.map(({ rss }) => rss) };
  }

  /** Waits for what is on its way, and looks for the last edit of each person. */
  async verdict(): Promise<Pick<Soaked, 'edits' | 'failures' | 'lost'>> {
    const deadline = performance.now() + ARRIVAL_MOST_MS;
    const missing = (where: ReadonlyMap<string, string>) =>
      [...this.#last].filter(([person, value]) => where.get(person) !== value).length;
    while (missing(this.#fed) + missing(this.#told) > 0 && performance.now() < deadline) {
      await this.#drain();
      await pause(DRAIN_EVERY_MS);
    }
    const { items } = await this.#someCalls().must('GET', '/api/company-data/connections?limit=100', {
      token: this.#day.token,
    });
    const listed = new Map<string, string>(
      (items as Listed[]).map(({ user_id, values }) => [user_id, textOf(values.city?.value)]),
    );
    return {
      edits: this.#edits,
      failures: this.#failures,
      lost: { list: missing(listed), feed: missing(this.#fed), webhook: missing(this.#told) },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async #act(): Promise<void> {
    const name = this.#acts[this.#turn++ % this.#acts.length] ?? 'whoami';
    const act: Act = this.#day.acts[name];
    const calls = this.#someCalls();
    try {
      await (name === 'edit'
        ? this.#edit(calls)
        : metered(
            act,
            1,
            (all) => sendBy(calls, all),
            async () => ({}),
          ));
    } catch (error) {
      this.#failures.push(`${name}: ${(error as Error).message}`);
    }
  }

  /** One edit of a person at a time: then the last one that was acknowledged is what must be found. */
  async #edit(calls: Calls): Promise<void> {
    const { customers } = this.#day;
    const [customer] = [...customers.slice(this.#edits % customers.length), ...customers].filter(
      (one) => !this.#busy.has(one),
    );
    if (customer === undefined) return;
    const { person, fieldId, ...slot } = customer;
    const value = this.#values[this.#edits++ % this.#values.length] ?? '';
    this.#busy.add(customer);
    try {
      await sendBy(calls, [editOf({ token: person.token, fieldId }, value, [slot])]);
      this.#last.set(person.id, textOf(value));
    } finally {
      this.#busy.delete(customer);
    }
  }

  async #drainUntil(until: number): Promise<void> {
    while (performance.now() < until) {
      await this.#drain();
      await pause(DRAIN_EVERY_MS);
    }
  }

  async #drain(): Promise<void> {
    const path = `/api/company-data/changes?limit=500&after=${this.#after}`;
    const { changes } = await this.#someCalls().must('GET', path, { token: this.#day.token });
    this.#after = changes.at(-1)?.id ?? '';
    for (const { event, person_user_id, value } of changes)
      if (event === 'field_updated') this.#fed.set(person_user_id, textOf(value));
  }

  #someCalls(): Calls {
    return this.#calls[this.#turn % this.#calls.length] as Calls;
  }
}

function sendBy(calls: Calls, all: readonly TimedCall[]): Promise<string[]> {
  return Promise.all(
    all.map(async (call) => {
      const { status, text } = await calls.send(call);
      if (status > 299) throw new Error(`${call.method} ${call.path}: ${status} ${text.slice(0, 200)}`);
      return text;
    }),
  );
}

/** A sealed value is an object where it is read, and was written as text. */
function textOf(value: unknown): string {
  const wrapper = typeof value === 'string' ? JSON.parse(value) : value;
  return String(wrapper?.d);
}

/** Each name as often as it counts, spread over the whole. */
function spread(mix: Readonly<Partial<Record<ActName, number>>>): ActName[] {
  const placed = Object.entries(mix).flatMap(([name, weight]) => {
    const times = weight * 2;
    return Array.from({ length: times }, (_, index) => ({
      name: name as ActName,
      at: (index + 0.5) / times,
    }));
  });
  return placed.sort((a, b) => a.at - b.at).map(({ name }) => name);
}
