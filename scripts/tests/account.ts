/**
 * Loaded into every test process: says at the end what each file cost, and ends a process that stands still.
 */
import { appendFileSync, readFileSync } from 'node:fs';
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
 * A process hangs in which for so long no test ends and no work is done: nothing will wake it. Nor does it get anywhere when no test
 * even runs, whatever it works at.
 */
const STILL_MOST_MS = 240_000;
const LOOK_MS = 5_000;
/** Of a look: what a process takes that only waits. */
const WORKING = 0.01;
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
  let cpu = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const isWorking = (user + system) / 1000 > LOOK_MS * WORKING;
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
