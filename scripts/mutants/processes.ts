import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { groupTests, type TestRun } from '../tests/groups.ts';
import { SETTINGS_VARIABLE, type Settings } from './settings.ts';

const here = (name: string) => join(import.meta.dirname, name);

export interface Ran {
  /** Undefined when it took too long. */
  readonly code: number | undefined;
  /** What it wrote; undefined when it wrote nothing. */
  readonly result: string | undefined;
  /** What its children wrote. */
  readonly ofChildren: readonly string[];
  /** The end of what it said. */
  readonly said: string;
}

interface Bounds {
  /** Of processor time. */
  readonly seconds: number;
  /** What a test waits for may never come. */
  readonly waitSeconds: number;
}

/** Test files that share a process as they do in `npm test`. */
export function processesOf(files: readonly string[], folder: string, root: string): TestRun[] {
  return groupTests(files, mkdtempSync(join(folder, 'group-')), root);
}

/**
 * Runs test files in one process of their own, which nothing outlives.
 * @throws {Error} when another process ended it: its result then says nothing
 */
export async function runTests(
  run: TestRun,
  folder: string,
  settings: Omit<Settings, 'entry' | 'files' | 'result'>,
  { seconds, waitSeconds }: Bounds,
): Promise<Ran> {
  const own = mkdtempSync(join(folder, 'process-'));
  const entry = resolve(settings.root, run.path);
  const result = join(own, 'result');
  const told = join(own, 'settings.json');
  writeFileSync(told, JSON.stringify({ ...settings, entry, files: run.files, result } satisfies Settings));
  const temporary = mkdtempSync(join(own, 'tmp-'));
  // Programs that run as other users have folders of their own inside.
  for (const path of [own, temporary]) chmodSync(path, 0o711);
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const reporter = settings.places === undefined ? here('first-failure.ts') : 'dot';
  const node = [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout', entry];
  const child = spawn(
    'sh',
    ['-c', `ulimit -t ${Math.ceil(seconds)}; exec "$@"`, 'sh', process.execPath, ...node],
    {
      // A group of its own: what it has started ends with it.
      detached: true,
      cwd: settings.root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...environment,
        TMPDIR: temporary,
        [SETTINGS_VARIABLE]: told,
        NODE_OPTIONS: `--import=${here('preload.ts')}`,
      },
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
    });
  }
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  };
  process.on('exit', end);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, waitSeconds * 1000);
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done) => {
    child.once('exit', (...ending) => done(ending));
  });
  const code = status ?? undefined;
  clearTimeout(timer);
  end();
  process.off('exit', end);
  // The bound of processor time ends it by one of these two.
  const isBound = isLate || signal === null || signal === 'SIGXCPU' || signal === 'SIGKILL';
  if (!isBound) throw new Error(`${signal} ended the tests of ${run.files.join(', ')}`);
  const read = (path: string) => readFileSync(path, 'utf8');
  const written = globSync(`${result}*`).sort();
  const ran = {
    code,
    result: written.includes(result) ? read(result) : undefined,
    ofChildren: written.filter((path) => path !== result).map(read),
    said,
  };
  rmSync(own, { recursive: true, force: true, maxRetries: 3 });
  return ran;
}

/** Does something with each of them, some at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  jobs: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}
