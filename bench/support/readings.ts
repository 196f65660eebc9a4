import type { Platform } from './platform.ts';
import { median } from './stats.ts';

/** What one operation cost. */
export interface Reading {
  /** Median, in milliseconds. */
  readonly ms: number;
  /** The longest delay of the platform's event loop meanwhile. */
  readonly loopMs: number;
  /** Until everything that the operation leaves to a worker was done. */
  readonly doneMs?: number;
}

/** Collects readings of one platform, in the order of their names. */
export class Readings {
  readonly all: Record<string, Reading> = {};
  readonly platform: Platform;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  /** @param once gives what it measured, in milliseconds; what it throws is written down instead of a number */
  async take(name: string, times: number, once: (round: number) => Promise<number>): Promise<void> {
    await this.takeWhole(name, async () => {
      const taken: number[] = [];
      for (let round = 0; round < times; round++) taken.push(await once(round));
      return { ms: median(taken) };
    });
  }

  async takeWhole(name: string, work: () => Promise<{ ms: number; doneMs?: number }>): Promise<void> {
    await this.platform.loopDelay();
    try {
      const reading = await work();
      this.all[name] = { ...reading, loopMs: await this.platform.loopDelay() };
      console.error(
        `  ${name}: ${reading.ms.toFixed(1)} ms, loop ${this.all[name]?.loopMs.toFixed(0)} ms${reading.doneMs === undefined ? '' : `, done after ${reading.doneMs.toFixed(0)} ms`}`,
      );
    } catch (error) {
      console.error(`  ${name}: ${error}`);
      this.all[name] = { ms: Number.NaN, loopMs: await this.platform.loopDelay() };
    }
  }
}
