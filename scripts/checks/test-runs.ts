import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logged } from './failure-log.ts';
import type { TestRun } from './test-groups.ts';

/** More files than this do not fail by chance. */
const REPEATED_MOST = 5;
const LOG = fileURLToPath(new URL('./failure-log.ts', import.meta.url));

interface Settings {
  /** Of Node's test runner. */
  readonly flags: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Where the logs are written. */
  readonly folder: string;
  /** What the paths of the files start from. */
  readonly root?: string;
  readonly output?: 'inherit' | 'ignore';
  /** Told which files run again. */
  readonly onRepeat?: (files: readonly string[]) => void;
}

interface Ran {
  readonly code: number;
  /** The files that failed, each with what was said of its failures. */
  readonly failed: ReadonlyMap<string, readonly string[]>;
}

export interface Outcome {
  readonly code: number;
  /** What failed among the others and passed alone, each with what was said of the first failure. */
  readonly unsteady: ReadonlyMap<string, readonly string[]>;
}

/** Runs test files by Node's test runner, and the few that failed once more. */
export class TestRuns {
  readonly #settings: Settings;
  #running: ChildProcess | undefined;
  #stopped = false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Ends what runs; nothing runs after it. */
  stop(signal: NodeJS.Signals): void {
    this.#stopped = true;
    this.#running?.kill(signal);
  }

  /** @param repeats whether the few files that failed run once more, one after the other, when nothing else runs */
  async run(runs: readonly TestRun[], repeats: boolean): Promise<Outcome> {
    const { code, failed } = await this.#run(runs, []);
    const isFew = failed.size > 0 && failed.size <= REPEATED_MOST;
    if (code === 0 || !repeats || !isFew || this.#stopped) return { code, unsteady: new Map() };
    this.#settings.onRepeat?.([...failed.keys()]);
    const alone = [...failed.keys()].map((file): TestRun => ({ path: file, files: [file] }));
    const second = await this.#run(alone, ['--test-concurrency=1']);
    const steady = [...failed].filter(([file]) => !second.failed.has(file));
    return { code: second.code, unsteady: new Map(steady) };
  }

  async #run(runs: readonly TestRun[], more: readonly string[]): Promise<Ran> {
    const { environment, folder, output = 'inherit', root = process.cwd() } = this.#settings;
    const log = join(mkdtempSync(join(folder, 'failures-')), 'log.jsonl');
    const flags = [
      ...this.#settings.flags,
      ...more,
      `--test-reporter=${LOG}`,
      `--test-reporter-destination=${log}`,
    ];
    const runner = spawn(process.execPath, ['--test', ...flags, ...runs.map(({ path }) => path)], {
      stdio: output,
      env: environment,
      cwd: root,
    });
    this.#running = runner;
    const code = await new Promise<number>((resolve) => {
      runner.once('exit', (status) => resolve(status ?? 1));
    });
    return { code, failed: failedFiles(readLog(log), runs, root) };
  }
}

function readLog(path: string): Logged[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Logged);
}

/**
 * Which files failed. Node tells of the tests of one file after the other. A test may stand in a module that many files
 * load, so it belongs to the file that ends next; of files that share a process, to the one that its outermost suite names.
 */
function failedFiles(
  log: readonly Logged[],
  runs: readonly TestRun[],
  root: string,
): ReadonlyMap<string, readonly string[]> {
  const failed = new Map<string, readonly string[]>();
  const runOf = new Map(runs.map((run) => [resolve(root, run.path), run]));
  let texts: string[] = [];
  const add = (files: readonly string[]) => {
    for (const file of files) failed.set(file, [...(failed.get(file) ?? []), ...texts]);
    texts = [];
  };
  for (const logged of log) {
    const run = runOf.get(resolve(root, logged.file));
    if (logged.type === 'ended') {
      const named = run?.files.some((file) => failed.has(file));
      if (!logged.success && run !== undefined && !named) add(run.files);
      texts = [];
      continue;
    }
    if (logged.text !== undefined) texts.push(`${logged.name}: ${logged.text}`);
    if (logged.nesting > 0) continue;
    const suite = runs.find(({ files }) => files.length > 1 && files.includes(logged.name));
    if (suite !== undefined) add([logged.name]);
    // The process has ended in the middle.
    else if (run !== undefined && resolve(root, logged.name) === resolve(root, run.path)) add(run.files);
  }
  return failed;
}
