import type { Usage } from './child.ts';
import type { Load, LoadGenerator } from './load.ts';
import { figure } from './report.ts';
import { median, quantile } from './stats.ts';

const QUANTILES = [0.5, 0.95, 0.99];
/** What stands in a row, after the name of the server. */
export const SIDE_HEAD = ['requests/s', 'server CPU µs/request', 'p50 ms', 'p95 ms', 'p99 ms'];

/** A server under load beside others, with what each round measured. */
export class Side {
  readonly name: string;
  /** Requests a second. */
  readonly rates: number[] = [];
  /** Microseconds of the server a request. */
  readonly cpu: number[] = [];
  /** Milliseconds: the median, the 95th and the 99th percentile. */
  readonly latencies: readonly number[][] = [[], [], []];
  readonly #server: { usage(): Promise<Usage> };

  constructor(name: string, server: { usage(): Promise<Usage> }) {
    this.name = name;
    this.#server = server;
  }

  /** @param round below zero it warms up, and is thrown away */
  async load(generator: LoadGenerator, load: Load, round: number): Promise<void> {
    const before = await this.#server.usage();
    const result = await generator.run(load);
    const after = await this.#server.usage();
    if (round < 0) return;
    this.rates.push(result.requests / (result.elapsedMs / 1000));
    this.cpu.push((after.cpuMicros - before.cpuMicros) / result.requests);
    for (const [index, q] of QUANTILES.entries())
      this.latencies[index]?.push(quantile(result.latenciesMs, q));
  }

  /** Milliseconds, round by round. */
  get p99(): readonly number[] {
    return this.latencies[QUANTILES.indexOf(0.99)] ?? [];
  }

  /** Its name and its medians. */
  row(): string[] {
    return [this.name, ...[this.rates, this.cpu, ...this.latencies].map((values) => figure(median(values)))];
  }
}
