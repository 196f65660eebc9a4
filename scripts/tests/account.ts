/**
 * Loaded into every test process: says at the end what each file cost, and ends a process that stands still.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, type SuiteContext, type TestContext } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/** The folder into which every test process writes what its files cost. */
export const ACCOUNTS_VARIABLE = 'SYMBOLON_TEST_ACCOUNTS';

/** Called between two files that share a process: what ended after the last test of the first one was that file's. */
export const BETWEEN_FILES = 'symbolon tests: between files';

/** What a file cost in CPU seconds. */
export interface Cost {
  readonly file: string;
  /** In the process of the tests. */
  readonly own: number;
  /** In programs that the tests started and waited for. */
  readonly children: number;
}

/**
 * A process hangs in which for so long no test ends and no work is done, by itself or by programs that it started: nothing will wake it.
 * Nor does it get anywhere when no test even runs, whatever it works at.
 */
const STILL_MOST_MS = 240_000;
const LOOK_MS = 5_000;
/** Of a look: what a process takes that only waits. */
const WORKING = 0.01;
/** Of a look: what programs take that wait for calls. */
const PROGRAMS_WORKING = 0.05;
/** Of Linux: the unit of times in /proc. */
const TICKS_PER_SECOND = 100;

const folder = process.env[ACCOUNTS_VARIABLE];
const costs = new Map<string, { own: number; children: number }>();
const running = new Set<string>();
let before = { own: 0, children: 0 };
let still = 0;

// A worker thread loads it too.
if (folder !== undefined && isMainThread) {
  beforeEach((context) => {
    running.add(titleOf(context));
    still = 0;
  });
  afterEach((context) => {
    running.delete(titleOf(context));
    still = 0;
    charge(fileOf(context as TestContext));
  });
  const lastFile = () => [...costs.keys()].at(-1);
  const between = () => {
    const last = lastFile();
    // What all of them load is charged to the first one.
    if (last !== undefined) charge(last);
  };
  Object.assign(globalThis, { [Symbol.for(BETWEEN_FILES)]: between });
  process.once('exit', () => {
    charge(lastFile() ?? fileOf());
    const lines = [...costs].map(([file, cost]) => `${JSON.stringify({ file, ...cost } satisfies Cost)}\n`);
    appendFileSync(join(folder, `${process.pid}.jsonl`), lines.join(''));
  });
  let worked = ownSeconds();
  let programs = programsSeconds();
  setInterval(() => {
    const known = { worked, programs };
    worked = ownSeconds();
    let isWorking = worked - known.worked > (LOOK_MS / 1000) * WORKING;
    if (!isWorking) {
      programs = programsSeconds();
      isWorking = Math.abs(programs - known.programs) > (LOOK_MS / 1000) * PROGRAMS_WORKING;
    }
    still = isWorking && running.size > 0 ? 0 : still + LOOK_MS;
    if (still >= STILL_MOST_MS) endHung();
  }, LOOK_MS).unref();
}

function endHung(): never {
  const what =
    running.size === 0 ? 'its tests have ended' : `in the middle of ${[...running].join(' and of ')}`;
  const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
  console.error(`${fileOf()} hangs, ${what}; it still has: ${open}`);
  process.exit(1);
}

/** Charges a file with what the process took since the last charge. */
function charge(file: string): void {
  const now = { own: ownSeconds(), children: childrenSeconds() };
  const cost = costs.get(file) ?? { own: 0, children: 0 };
  cost.own += now.own - before.own;
  cost.children += now.children - before.children;
  costs.set(file, cost);
  before = now;
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** What ended programs took that this process and its children waited for; known on Linux alone. */
export function childrenSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** What programs took that this process and its children started, ended or not; known on Linux alone. */
export function programsSeconds(): number {
  const found = new Map<number, { parent: number; ticks: number }>();
  for (const name of existsSync('/proc/self') ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      found.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = found.get(pid)?.parent;
    return parent !== undefined && (parent === process.pid || isOurs(parent));
  };
  const living = [...found].reduce((sum, [pid, { ticks }]) => sum + (isOurs(pid) ? ticks : 0), 0);
  return childrenSeconds() + living / TICKS_PER_SECOND;
}

function titleOf(context: TestContext | SuiteContext): string {
  return (context as TestContext).fullName ?? context.name;
}

/** Of files that share a process the outermost title is the file. */
function fileOf(context?: TestContext): string {
  const path = context?.filePath ?? process.argv[1] ?? '';
  const [first = ''] = (context?.fullName ?? '').split(' > ');
  const file = first.endsWith('.test.ts') ? first : path;
  return file.replace(`${process.cwd()}/`, '');
}
