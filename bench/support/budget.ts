import { Bursts } from './bursts.ts';
import { Child } from './child.ts';
import { type Act, type ActName, openDay } from './day.ts';
import { metered } from './metered.ts';
import { dataFolder, Platform } from './platform.ts';
import { sized } from './setting.ts';
import { openSql } from './sql.ts';
import { median } from './stats.ts';

/** What a call may grow by. */
export const GROWTH_MOST = 0.15;

/** Processor time of a call, as so many bare answers. */
export type Budget = Readonly<Record<string, number>>;

/** The calls of the budget, and how often each is made in a round: for about as long. */
export const BUDGETED: Readonly<Partial<Record<ActName, number>>> = {
  token: 800,
  whoami: 800,
  health: 800,
  drain: 8,
  edit: 160,
  'page of connections': 24,
  connect: 48,
  'challenge round': 48,
  'code exchange': 144,
  message: 160,
  'list of documents': 80,
  userinfo: 800,
};
/** Where one of them is served: to make it slower. */
export const PATHS: Readonly<Record<string, string>> = {
  token: '/oauth2/token',
  whoami: '/api/company-data/whoami',
  edit: '/api/person/fields',
  'page of connections': '/api/company-data/connections?',
};

const CUSTOMERS = 48;
const CONNECTIONS = 16;
const BARE = sized(2_000, 20);
/** As much as an everyday answer. */
const BARE_TEXT = 300;
/** Rounds that compile the code of a call. */
const WARM_UP = sized(10, 1);

export interface Verdict {
  readonly name: string;
  readonly budget: number | undefined;
  readonly measured: number;
  /** More than the budget, as a part of it; undefined for a call that has none. */
  readonly growth: number | undefined;
  readonly grown: boolean;
}

/**
 * Compares what was measured with the budget; a call without a budget has grown.
 *
 * @param isBusy whether other programs had much of the machine: they take caches from the platform, which has more in them than a
 * bare server. All calls grow then, and each is compared with how much the middle one has grown
 */
export function judge(budget: Budget, measured: Budget, isBusy = false): Verdict[] {
  const growths = Object.entries(measured).map(([name, cost]) => cost / (budget[name] ?? Number.NaN));
  const common = isBusy ? Math.max(1, median(growths.filter((growth) => !Number.isNaN(growth)))) : 1;
  return Object.entries(measured).map(([name, cost]) => {
    const allowed = budget[name];
    const growth = allowed === undefined ? undefined : cost / allowed / common - 1;
    const grown = growth === undefined || !(growth <= GROWTH_MOST);
    return { name, budget: allowed, measured: cost, growth, grown };
  });
}

interface Weighed {
  readonly name: string;
  readonly act: Act;
  readonly count: number;
  /** Of each round. */
  readonly ratios: number[];
  readonly micros: number[];
}

/** A platform and a bare server side by side, whose calls are weighed round by round. */
export class Scales implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #platform: Platform;
  readonly #bare: Child<string>;
  readonly #calls: Bursts;
  readonly #bareCalls: Bursts;
  readonly weighed: readonly Weighed[];

  private constructor(
    stack: AsyncDisposableStack,
    servers: { platform: Platform; bare: Child<string> },
    bursts: { calls: Bursts; bareCalls: Bursts },
    weighed: readonly Weighed[],
  ) {
    this.#stack = stack;
    this.#platform = servers.platform;
    this.#bare = servers.bare;
    this.#calls = bursts.calls;
    this.#bareCalls = bursts.bareCalls;
    this.weighed = weighed;
  }

  static async open(): Promise<Scales> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await dataFolder());
    const platform = stack.use(await Platform.start(folder.path, {}, 'budget-platform.ts'));
    const sql = stack.use(await openSql('sqlite', folder.path));
    const { acts } = await openDay(platform, sql, CUSTOMERS);
    const bare = await Child.start<string>('bare-http.ts', [String(BARE_TEXT)]);
    stack.defer(() => bare.stop());
    const calls = stack.adopt(await Bursts.open(platform.url, CONNECTIONS), (bursts) => bursts.close());
    const bareCalls = stack.adopt(await Bursts.open(bare.ready, CONNECTIONS), (bursts) => bursts.close());
    const weighed = Object.entries(BUDGETED).map(([name, count]) => {
      const act = acts[name as ActName];
      return { name, act, count: sized(count, 1), ratios: [], micros: [] };
    });
    const scales = new Scales(stack.move(), { platform, bare }, { calls, bareCalls }, weighed);
    for (let round = 0; round < WARM_UP; round++) {
      await scales.#weighBare();
      for (const { act, count } of weighed) await scales.#weigh(act, count);
    }
    return scales;
  }

  /** One round of those that are named, or of all. */
  async round(names?: readonly string[]): Promise<void> {
    let before = await this.#weighBare();
    for (const { name, act, count, ratios, micros } of this.weighed) {
      if (names?.includes(name) === false) continue;
      const cost = await this.#weigh(act, count);
      const after = await this.#weighBare();
      // What else the machine does meanwhile makes all three dearer.
      ratios.push(cost / ((before + after) / 2));
      micros.push(cost);
      before = after;
    }
  }

  /** Medians of all rounds. */
  measured(): Budget {
    return Object.fromEntries(this.weighed.map(({ name, ratios }) => [name, median(ratios)]));
  }

  /** From now on a call takes so much more. */
  slowDown(name: string, micros: number): Promise<unknown> {
    const path = PATHS[name];
    if (path === undefined)
      throw new Error(`Of these one can be made slower: ${Object.keys(PATHS).join(', ')}.`);
    return this.#platform.slowDown(path, micros);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** @returns microseconds of processor time a call */
  async #weigh(act: Act, count: number): Promise<number> {
    const { cpuMicros = 0 } = await metered(
      act,
      count,
      (calls) => this.#calls.send(calls),
      async () => ({ cpuMicros: (await this.#platform.usage()).cpuMicros }),
    );
    return cpuMicros / count;
  }

  async #weighBare(): Promise<number> {
    const before = await this.#bare.usage();
    await this.#bareCalls.send(Array.from({ length: BARE }, () => ({ method: 'GET', path: '/' })));
    return ((await this.#bare.usage()).cpuMicros - before.cpuMicros) / BARE;
  }
}
