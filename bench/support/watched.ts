import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { programsSeconds } from '../../scripts/tests/account.ts';

/** How busy the machine was, as parts of it: 1 is all of the time. */
export interface Watched {
  readonly seconds: number;
  /** Of all cores. */
  readonly cores: number;
  /** Of all cores, by other programs than this process and those that it started. */
  readonly others: number;
  /** Of the time, the busiest disk; undefined where the machine does not say. */
  readonly disk: number | undefined;
}

/** Watches the machine from now on. @returns what was seen, when it is called */
export function watch(): () => Watched {
  const from = { at: performance.now(), ...read() };
  return () => {
    const until = { at: performance.now(), ...read() };
    const seconds = (until.at - from.at) / 1000;
    const all = until.all - from.all;
    return {
      seconds,
      cores: (until.busy - from.busy) / all,
      others: Math.max(0, until.busy - from.busy - (until.own - from.own) * 1000) / all,
      disk:
        until.disks === undefined || from.disks === undefined
          ? undefined
          : Math.max(0, ...until.disks.map((ms, index) => ms - (from.disks?.[index] ?? ms))) /
            (seconds * 1000),
    };
  };
}

/** What held the work up: who is not busy waits for who is. */
export function limitOf({ cores, disk = 0 }: Watched): string {
  if (cores > 0.85) return 'CPU';
  if (disk > 0.5) return 'disk';
  // One thread of two cores is busy, or clients wait for timers and answers.
  return cores > 0.4 ? 'one thread' : 'client';
}

function read() {
  let all = 0;
  let idle = 0;
  for (const { times } of cpus()) {
    all += times.user + times.nice + times.sys + times.irq + times.idle;
    idle += times.idle;
  }
  return {
    all,
    busy: all - idle,
    own: (process.cpuUsage().user + process.cpuUsage().system) / 1e6 + programsSeconds(),
    disks: diskTimes(),
  };
}

/** Of Linux: the milliseconds in which each disk had something to do. */
function diskTimes(): number[] | undefined {
  try {
    const lines = readFileSync('/proc/diskstats', 'utf8').trim().split('\n');
    return lines.map((line) => Number(line.trim().split(/\s+/)[12]));
  } catch {
    return undefined;
  }
}
