import { type BenchService, createService, tokenForm } from './actors.ts';
import type { Call, Calls } from './calls.ts';
import { type BenchPerson, connectPerson, sealed } from './people.ts';
import type { Platform } from './platform.ts';
import { quantile } from './stats.ts';

/** How often each call is made. */
const EVERY_MS = 50;
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
  readonly #kinds: Readonly<Record<string, () => Call>>;

  private constructor(calls: Calls, service: BenchService, token: string, people: readonly BenchPerson[]) {
    this.#calls = calls;
    const value = sealed(service, 'Paris');
    let turn = 0;
    const next = () => people[turn++ % people.length] as BenchPerson;
    this.#kinds = {
      health: () => ({ method: 'GET', path: '/api/health' }),
      token: () => ({ method: 'POST', path: '/oauth2/token', form: tokenForm(service) }),
      list: () => ({ method: 'GET', path: '/api/company-data/connections?limit=100', token }),
      'one connection': () => ({
        method: 'GET',
        path: `/api/company-data/connections/${next().connectionId}`,
        token,
      }),
      edit: () => {
        const person = next();
        const copy = { connection_id: person.connectionId, request_field_id: person.requestFieldId, value };
        const path = `/api/person/fields/${person.fieldId}`;
        return { method: 'PUT', path, token: person.token, json: { value, copies: [copy] } };
      },
      drain: () => ({ method: 'GET', path: '/api/company-data/changes?limit=100&after=', token }),
    };
  }

  static async create(platform: Platform, calls: Calls): Promise<SmallNeighbour> {
    const service = await createService(platform);
    const { body } = await calls.must<{ access_token: string }>({
      method: 'POST',
      path: '/oauth2/token',
      form: tokenForm(service),
    });
    const people: BenchPerson[] = [];
    for (let index = 0; index < 10; index++) people.push(await connectPerson(platform, service));
    return new SmallNeighbour(calls, service, body.access_token, people);
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

  async #rhythm(call: () => Call, running: () => boolean): Promise<Latencies> {
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
