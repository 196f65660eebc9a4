import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock.ts';
import { withoutDeadline } from './deadline.ts';
import { PlatformError } from './errors.ts';
import type { Timers } from './timers.ts';

/** What the platform needs beside its own process, by the names that `GET /api/health` tells. */
export type NeedName = 'saving' | 'rate_limits' | 'mail' | 'files';

interface NeedOptions {
  /** How the log calls it: `<title> unavailable: <reason>`, later `<title> available again after 12 s`. */
  readonly title: string;
  /**
   * Tries it; rejects while it is away. It has its own time limit.
   * @param wasAway whether its users were failed: then what they need has to work
   */
  readonly probe: (wasAway: boolean) => Promise<unknown>;
  /** The reason for the operator, without a secret; undefined for an error that is no outage. Default: the error's text. */
  readonly reasonOf?: (error: unknown) => string | undefined;
  /** Whether an outage ends only when the process starts again, whatever a try says. Default: none does. */
  readonly isLasting?: (error: unknown) => boolean;
}

interface Deps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
}

/** After which time something that is away is tried, and again and again. */
const PROBE_MS = 1_000;
/** What fails again so soon after a try went well fails its users and not the try: each time it is left alone for twice as long. */
const RELAPSE_MS = 60_000;
const PROBE_MOST_MS = 16_000;
/** How old the outcome of a try may be for a caller that asks. */
const FRESH_MS = 5_000;
/** How long a caller that asks waits for a try. */
const LOOK_MOST_MS = 2_000;
/** How many reasons the log tells while something is away: a database that was cut off may come back and take no writes. */
const REASONS_MOST = 3;

/** Knows what the platform needs and does not reach. */
export class Availability {
  readonly #deps: Deps;
  readonly #needs = new Map<NeedName, Need>();
  /** Names of workers whose last run failed by a mistake. */
  readonly failingWork = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  add(name: NeedName, options: NeedOptions): Need {
    const need = new Need(this.#deps, options);
    this.#needs.set(name, need);
    return need;
  }

  /**
   * A user of it failed.
   * @returns whether the error is an outage of it, which is logged once: the caller logs nothing
   */
  failed(name: NeedName, error: unknown): boolean {
    return this.#needs.get(name)?.failed(error) ?? false;
  }

  /** Whether work that failed needs no separate line: the database is away, or what else it needs, or work is paused. */
  explains(error: unknown): boolean {
    return this.failed('saving', error) || (error instanceof PlatformError && error.status === 503);
  }

  get away(): NeedName[] {
    return [...this.#needs].flatMap(([name, need]) => (need.isAway ? [name] : []));
  }

  isAway(name: NeedName): boolean {
    return this.#needs.get(name)?.isAway ?? false;
  }

  has(name: NeedName): boolean {
    return this.#needs.has(name);
  }

  /** Why it is away, as the log has it and as of the last failure; undefined while it is there. */
  reason(name: NeedName): string | undefined {
    return this.#needs.get(name)?.reason;
  }

  /** Whether it is away, found out by a try unless there was one in the last seconds. It takes two seconds at most. */
  async look(name: NeedName): Promise<boolean> {
    const need = this.#needs.get(name);
    await need?.look();
    return need?.isAway ?? false;
  }

  stop(): void {
    for (const need of this.#needs.values()) need.stop();
  }
}

/**
 * One thing that the platform needs. Its users say when it fails them. That is logged once for each reason; from then on it is tried every
 * second, whether it is asked for or not, less often when it soon failed again, and logged once more when it works.
 */
export class Need {
  readonly #deps: Deps;
  readonly #options: NeedOptions;
  #awaySince: number | undefined;
  /** Those that the log tells of this absence. */
  readonly #reasons = new Set<string>();
  #reason = '';
  #worksSince = Number.NEGATIVE_INFINITY;
  #pauseMs = PROBE_MS;
  #triedAt = Number.NEGATIVE_INFINITY;
  #trying: Promise<void> | undefined;
  #cancel = () => {};
  #stopped = false;
  #lasting: unknown;

  constructor(deps: Deps, options: NeedOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#awaySince !== undefined;
  }

  /** The error of an outage that ends only when the process starts again. */
  get lasting(): unknown {
    return this.#lasting;
  }

  /** The last reason of this absence: the first one may be a connection that was ended on the way. */
  get reason(): string | undefined {
    return this.isAway ? this.#reason : undefined;
  }

  /** @returns false, and nothing is done, for an error that is no outage */
  failed(error: unknown): boolean {
    const { reasonOf = textOf } = this.#options;
    const reason = reasonOf(error);
    if (reason === undefined) return false;
    if (this.#stopped) return true;
    if (this.#options.isLasting?.(error)) this.#lasting ??= error;
    this.#reason = reason;
    if (this.isAway) {
      this.#logReason(error, reason);
      return true;
    }
    this.#reasons.clear();
    this.#awaySince = this.#deps.clock.now();
    const isRelapse = this.#awaySince - this.#worksSince < RELAPSE_MS;
    this.#pauseMs = isRelapse ? Math.min(this.#pauseMs * 2, PROBE_MOST_MS) : PROBE_MS;
    this.#logReason(error, reason);
    this.#tryLater();
    return true;
  }

  #logReason(error: unknown, reason: string): void {
    if (this.#reasons.has(reason) || this.#reasons.size === REASONS_MOST) return;
    this.#reasons.add(reason);
    this.#deps.log.error({ err: error }, `${this.#options.title} unavailable: ${reason}`);
  }

  works(): void {
    if (this.#awaySince === undefined || this.#lasting !== undefined) return;
    const seconds = Math.round((this.#deps.clock.now() - this.#awaySince) / 1000);
    this.#awaySince = undefined;
    this.#worksSince = this.#deps.clock.now();
    this.#cancel();
    this.#deps.log.info(`${this.#options.title} available again after ${seconds} s`);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Tries it, unless the last try is fresh, and waits for that a while. */
  async look(): Promise<void> {
    if (this.isAway || performance.now() - this.#triedAt < FRESH_MS) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#deps.timers.after(LOOK_MOST_MS, resolve);
    await Promise.race([this.#try(), promise]).finally(cancel);
  }

  #tryLater(): void {
    if (this.#lasting !== undefined) return;
    this.#cancel = this.#deps.timers.after(this.#pauseMs, () => {
      void this.#try().then(() => {
        if (!this.#stopped && this.isAway) this.#tryLater();
      });
    });
  }

  /** One try at a time. */
  #try(): Promise<void> {
    this.#trying ??= withoutDeadline(() => this.#options.probe(this.isAway))
      .then(
        () => this.works(),
        (error: unknown) => void this.failed(error),
      )
      .finally(() => {
        this.#triedAt = performance.now();
        this.#trying = undefined;
      });
    return this.#trying;
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
