import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';

/** So many failures without a good answer between them open the circuit. */
const FAILURES_MOST = 5;
/** How long it stays open before one call is let through to try. */
const OPEN_MS = 10_000;
const PLUGINS_MOST = 10_000;

interface Health {
  failures: number;
  /** While open: when one call may try. */
  tryAt: number;
}

/** Keeps callers from waiting for plugins that do not answer. */
export class Circuits {
  readonly #clock: Clock;
  /** Plugins whose last call failed. */
  readonly #failing = new LRUCache<string, Health>({ max: PLUGINS_MOST });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the plugin is tried again; 0: call it now. */
  wait(plugin: string): number {
    const health = this.#failing.get(plugin);
    if (health === undefined || health.failures < FAILURES_MOST) return 0;
    const now = this.#clock.now();
    if (now < health.tryAt) return health.tryAt - now;
    // Of those who come now, this one tries.
    health.tryAt = now + OPEN_MS;
    return 0;
  }

  answered(plugin: string): void {
    this.#failing.delete(plugin);
  }

  failed(plugin: string): void {
    const health = this.#failing.get(plugin) ?? { failures: 0, tryAt: 0 };
    health.failures++;
    health.tryAt = this.#clock.now() + OPEN_MS;
    this.#failing.set(plugin, health);
  }
}
