import { sealed } from '@symbolon/testkit/actors/actors';
import {
  type BenchPerson,
  type BenchService,
  connectPerson,
  createService,
  dataToken,
  editOf,
  tokenForm,
} from './actors.ts';
import type { Calls, TimedCall } from './calls.ts';
import { sized } from './setting.ts';
import { quantile } from './stats.ts';

/** How often each call is made. */
const EVERY_MS = sized(50, 500);
/** Calls in flight at most: beyond it the platform has stopped answering, and what waits says so. */
const IN_FLIGHT_MOST = 60;

export interface Latencies {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  /** Answers that were no 2xx, by status. */
  readonly refused: Readonly<Record<string, number>>;
}

/** A small service with a few customers, whose calls are made all the time. */
export class SmallNeighbour {
  readonly #calls: Calls;
  readonly #kinds: Readonly<Record<string, () => TimedCall>>;

  private constructor(
    calls: Calls,
    service: BenchService,
    { token, people, value }: { token: string; people: readonly BenchPerson[]; value: string },
  ) {
    this.#calls = calls;
    let turn = 0;
    const next = () => people[turn++ % people.length] as BenchPerson;
    const get = (path: string) => ({ method: 'GET', path: `/api/company-data/${path}`, token });
    this.#kinds = {
      health: () => ({ method: 'GET', path: '/api/health' }),
      token: () => ({ method: 'POST', path: '/oauth2/token', body: tokenForm(service) }),
      list: () => get('connections?limit=100'),
      'one connection': () => get(`connections/${next().connectionId}`),
      edit: () => {
        const person = next();
        return editOf(person, value, [person]);
      },
      drain: () => get('changes?limit=100&after='),
    };
  }

  static async create(calls: Calls): Promise<SmallNeighbour> {
    const service = await createService(calls);
    const people: BenchPerson[] = [];
    while (people.length < sized(10, 2)) people.push(await connectPerson(calls, service));
    const token = await dataToken(calls, service);
    return new SmallNeighbour(calls, service, { token, people, value: await sealed('Paris') });
  }

  /** Makes its calls, each kind in its rhythm whatever the others take, until something is done. */
  async during(work: Promise<unknown>): Promise<Record<string, Latencies>> {
    let running = true;
    const done = work.finally(() => {
      running = false;
    });
    const taken = await Promise.all(
      Object.entries(this.#kinds).map(async ([name, call]) => [
        name,
        await this.#rhythm(call, () => running),
      ]),
    );
    await done;
    return Object.fromEntries(taken);
  }

  async #rhythm(call: () => TimedCall, running: () => boolean): Promise<Latencies> {
    const latencies: number[] = [];
    const refused: Record<string, number> = {};
    const open = new Set<Promise<void>>();
    const from = performance.now();
    for (let round = 0; running(); round++) {
      const due = from + round * EVERY_MS;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (open.size >= IN_FLIGHT_MOST) await Promise.race(open);
      // Counted from when it was due, so that what a delay keeps from being sent is delayed as well.
      const one: Promise<void> = this.#calls.send(call()).then(({ status }) => {
        latencies.push(performance.now() - due);
        if (status > 299) refused[status] = (refused[status] ?? 0) + 1;
        open.delete(one);
      });
      open.add(one);
    }
    await Promise.all(open);
    return {
      calls: latencies.length,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      most: Math.max(...latencies),
      refused,
    };
  }
}
