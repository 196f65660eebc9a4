import { ConfigError } from './config-error.ts';
import { type Timers, timeLimit } from './timers.ts';

/** What a process can be asked whether it works. */
const probeNames = [
  'database',
  'migrations',
  'disk',
  'rate_limits',
  'files',
  'mail',
  'seal',
  'tls',
  'workers',
  'peers',
] as const;
export type ProbeName = (typeof probeNames)[number];

/** Without these a process cannot do what callers ask of it, and another one perhaps can. */
export const usualReadyChecks: readonly ProbeName[] = ['database', 'migrations', 'disk', 'rate_limits'];

/** Tries one thing that the process needs. */
export interface Probe {
  readonly name: ProbeName;
  /** How long an outcome that was good is good for. */
  readonly freshMs?: number;
  /** After which time one that failed is tried again. */
  readonly retryMs?: number;
  /** Resolves when it works, with what is worth saying; rejects with the reason, without a secret. */
  check(): Promise<string | undefined>;
}

/** @throws {ConfigError} */
export function readReadyChecks(text: string): ReadonlySet<string> {
  const named = text.split(',').map((part) => part.trim());
  const unknown = named.find((name) => !probeNames.some((known) => known === name));
  if (unknown === undefined) return new Set(named);
  throw new ConfigError(
    `SYMBOLON_READY_CHECKS takes ${probeNames.join(', ')}, separated by commas, not "${unknown}".`,
  );
}

/** What is known of a check. */
export interface CheckState {
  /** `unknown`: it has not answered yet. */
  readonly state: 'ok' | 'failed' | 'unknown';
  /** Whether the process is not ready without it. */
  readonly needed: boolean;
  readonly detail?: string;
  /** Seconds since it was found out. */
  readonly age_seconds?: number;
}

export interface ReadyAnswer {
  /** `degraded`: what is not needed does not work. */
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly checks: Readonly<Partial<Record<ProbeName, CheckState>>>;
}

const FRESH_MS = 5_000;
/** What failed is tried soon again. */
const RETRY_MS = 2_000;
/** How long whoever asks waits for checks: well below the second that probes usually wait. */
const ANSWER_MOST_MS = 500;
/** A check that takes longer than this has failed, whatever it found out before. */
const CHECK_MOST_MS = 20_000;

interface Known {
  state: 'ok' | 'failed' | 'unknown';
  detail: string | undefined;
  at: number;
  running: Promise<void> | undefined;
  began: number;
}

/**
 * Whether a process is ready. Checks run when a probe asks, and no more often than their outcomes get old, so that asking often costs
 * nothing; and an answer waits for them no longer than it may.
 */
export class Readiness {
  #probes: readonly Probe[];
  readonly #needed: ReadonlySet<string>;
  readonly #timers: Timers;
  readonly #known = new Map<ProbeName, Known>();

  constructor(probes: readonly Probe[], needed: ReadonlySet<string>, timers: Timers) {
    this.#probes = probes;
    this.#needed = needed;
    this.#timers = timers;
  }

  /** Adds what is found out only as the process starts. */
  add(probes: readonly Probe[]): void {
    this.#probes = [...this.#probes, ...probes];
  }

  async answer(): Promise<ReadyAnswer> {
    await this.look();
    return this.last();
  }

  /** Brings what is known up to date, as far as that goes in the time of an answer. */
  async look(): Promise<void> {
    const running = this.#probes.flatMap((probe) => this.#refresh(probe) ?? []);
    if (running.length === 0) return;
    const late = Promise.withResolvers<void>();
    const cancel = timeLimit(this.#timers, ANSWER_MOST_MS, late.resolve);
    await Promise.race([Promise.all(running), late.promise]).finally(cancel);
  }

  /** What is known. */
  last(): ReadyAnswer {
    const now = performance.now();
    const checks: Partial<Record<ProbeName, CheckState>> = {};
    let status: ReadyAnswer['status'] = 'ready';
    for (const { name } of this.#probes) {
      const { state, detail, at, running, began } = this.#of(name);
      const hangs = running !== undefined && now - began > CHECK_MOST_MS;
      const needed = this.#needed.has(name);
      checks[name] = {
        state: hangs ? 'failed' : state,
        needed,
        ...(hangs ? { detail: 'no answer in time' } : detail !== undefined && { detail }),
        ...(at > Number.NEGATIVE_INFINITY && { age_seconds: Math.round((now - at) / 1000) }),
      };
      // What is not needed may take its time to be found out.
      const isBad = hangs || state === 'failed' || (needed && state === 'unknown');
      if (isBad && needed) status = 'not_ready';
      else if (isBad && status === 'ready') status = 'degraded';
    }
    return { status, checks };
  }

  #of(name: ProbeName): Known {
    let known = this.#known.get(name);
    if (known === undefined) {
      known = {
        state: 'unknown',
        detail: undefined,
        at: Number.NEGATIVE_INFINITY,
        running: undefined,
        began: 0,
      };
      this.#known.set(name, known);
    }
    return known;
  }

  #refresh(probe: Probe): Promise<void> | undefined {
    const known = this.#of(probe.name);
    const freshMs = known.state === 'failed' ? (probe.retryMs ?? RETRY_MS) : (probe.freshMs ?? FRESH_MS);
    if (known.running === undefined && performance.now() - known.at >= freshMs) {
      known.began = performance.now();
      known.running = Promise.resolve()
        .then(() => probe.check())
        .then(
          (detail) => Object.assign(known, { state: 'ok', detail }),
          (error: unknown) => Object.assign(known, { state: 'failed', detail: messageOf(error) }),
        )
        .then(() => {
          known.at = performance.now();
          known.running = undefined;
        });
    }
    return known.running;
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
