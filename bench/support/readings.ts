import type { Platform } from './platform.ts';
import { median } from './stats.ts';

/** What one operation cost. */
export interface Reading {
  /** Median, in milliseconds. */
  readonly ms: number;
  /** The longest delay of the platform's event loop meanwhile. */
  readonly loopMs: number;
  /** The most processor time in one turn of the loop. */
  readonly turnMs: number;
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
    let reading: { ms: number; doneMs?: number } = { ms: Number.NaN };
    try {
      reading = await work();
    } catch (error) {
      console.error(`  ${name}: ${error}`);
    }
    const { ms: loopMs, cpuMs: turnMs } = await this.platform.loopDelay();
    this.all[name] = { ...reading, loopMs, turnMs };
    const parts = Object.entries({ answered: reading.ms, done: reading.doneMs, loop: loopMs, turn: turnMs });
    const told = parts.flatMap(([part, ms]) => (ms === undefined ? [] : [`${part} ${ms.toFixed(1)}`]));
    console.error(`  ${name}: ${told.join(', ')} ms`);
  }
}
