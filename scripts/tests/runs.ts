import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestRun } from './groups.ts';
import type { Logged } from './log.ts';

const LOG = fileURLToPath(new URL('./log.ts', import.meta.url));
/** Longer than any single test takes, and than a process stands still before it ends itself (account.ts). */
const SILENT_MOST_MS = 900_000;
const LOOK_MS = 10_000;

interface Settings {
  /** Of Node's test runner. */
  readonly flags: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Where the log is written. */
  readonly folder: string;
  /** What the paths of the files start from. */
  readonly root?: string;
  readonly output?: 'inherit' | 'ignore';
  /** After which a run that says nothing is ended, and how often that is looked at. */
  readonly silentMostMs?: number;
  readonly lookMs?: number;
}

export interface Outcome {
  readonly code: number;
  /** The files that failed, each with what was said of its failures. */
  readonly failed: ReadonlyMap<string, readonly string[]>;
  /** The files that never ended: the whole run was. */
  readonly hung: readonly string[];
  /** What ran, in order. */
  readonly log: readonly Logged[];
}

/** Runs test files by Node's test runner: once each. */
export class TestRuns {
  readonly #settings: Settings;
  #running: ChildProcess | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Ends what runs. */
  stop(signal: NodeJS.Signals): void {
    endGroup(this.#running, signal);
  }

  async run(runs: readonly TestRun[]): Promise<Outcome> {
    const { environment, folder, output = 'inherit', root = process.cwd() } = this.#settings;
    const path = join(mkdtempSync(join(folder, 'log-')), 'log.jsonl');
    const flags = [...this.#settings.flags, `--test-reporter=${LOG}`, `--test-reporter-destination=${path}`];
    const runner = spawn(process.execPath, ['--test', ...flags, ...runs.map((run) => run.path)], {
      stdio: output,
      env: environment,
      cwd: root,
      // A group of its own: what the tests have started ends with them.
      detached: true,
    });
    this.#running = runner;
    const watch = setInterval(() => this.#endSilent(path, runner), this.#settings.lookMs ?? LOOK_MS);
    const [code] = await once(runner, 'exit');
    clearInterval(watch);
    const log = readLog(path);
    return {
      code: code ?? 1,
      failed: failedFiles(log, runs, root),
      hung: runner.signalCode === 'SIGKILL' ? unendedFiles(log, runs, root) : [],
      log,
    };
  }

  #endSilent(path: string, runner: ChildProcess): void {
    if (this.#isSilent(path)) endGroup(runner, 'SIGKILL');
  }

  #isSilent(path: string): boolean {
    const { silentMostMs = SILENT_MOST_MS } = this.#settings;
    return existsSync(path) && Date.now() - statSync(path).mtimeMs > silentMostMs;
  }
}

function endGroup(leader: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (leader?.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return;
  process.kill(-leader.pid, signal);
}

function readLog(path: string): Logged[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Logged);
}

function unendedFiles(log: readonly Logged[], runs: readonly TestRun[], root: string): string[] {
  const ended = new Set(log.filter(({ type }) => type === 'ended').map(({ file }) => resolve(root, file)));
  return runs.filter(({ path }) => !ended.has(resolve(root, path))).flatMap(({ files }) => files);
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
    if (logged.type === 'passed') continue;
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
