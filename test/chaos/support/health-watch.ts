import { HEALTH_PATIENCE_MS } from '@symbolon/testkit/limits';
import type { Member } from './installation.ts';

export interface HealthSample {
  readonly at: number;
  readonly server: number;
  /** The HTTP status; 0: no answer. */
  readonly code: number;
  readonly status: string;
}

const EVERY_MS = 250;

/** Asks each server that runs for its health, four times a second, as a load balancer would. */
export class HealthWatch {
  readonly samples: HealthSample[] = [];
  readonly #servers: readonly Member[];
  #timer: NodeJS.Timeout | undefined;
  readonly #asking = new Set<Promise<void>>();

  constructor(servers: readonly Member[]) {
    this.#servers = servers;
  }

  start(): void {
    this.#timer = setInterval(() => {
      for (const [index, { process }] of this.#servers.entries()) {
        if (!process.running || process.frozen) continue;
        const asked = this.#ask(index, process.url).finally(() => this.#asking.delete(asked));
        this.#asking.add(asked);
      }
    }, EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#asking);
  }

  between(from: number, until: number): HealthSample[] {
    return this.samples.filter(({ at }) => at >= from && at <= until);
  }

  async #ask(server: number, url: string): Promise<void> {
    const at = performance.now();
    try {
      const response = await fetch(`${url}/api/health`, {
        signal: AbortSignal.timeout(HEALTH_PATIENCE_MS),
      });
      const body = (await response.json()) as { status?: string; error_key?: string };
      this.samples.push({
        at,
        server,
        code: response.status,
        status: body.status ?? body.error_key ?? 'without error_key',
      });
    } catch {
      this.samples.push({ at, server, code: 0, status: 'no answer' });
    }
  }
}
