import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { baseAt, freePort, HOST } from '@symbolon/testkit/platform/address';
import { bundled } from '@symbolon/testkit/platform/bundle';
import { dataFolder, platformEnvironment } from './support/platform.ts';
import { residentMegabytes, statOf } from './support/process-usage.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, SMALL, sized } from './support/setting.ts';
import { median } from './support/stats.ts';

const ROUNDS = rounds(3);
const BUILD = fileURLToPath(new URL('../scripts/build.ts', import.meta.url));
const COMMAND = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url));
/** After it the process has given back what only its start needed. */
const IDLE_MS = sized(3_000, 0);

const KINDS = [
  { name: 'first ever: empty data folder, nothing compiled', data: 'cold', compiled: 'cold', wall: 1 },
  { name: 'empty data folder', data: 'cold', compiled: 'warm', wall: 1 },
  { name: 'existing data folder', data: 'warm', compiled: 'warm', wall: 0.6 },
].slice(sized(0, 2));
const CPU_MOST = 0.6;
const IDLE_MOST = 120;

interface Started {
  /** In seconds, until it answered. */
  readonly wall: number;
  readonly cpu: number;
  /** MB, a while later. */
  readonly idle: number;
}

/** From the start of the process, as it is installed, to the first 200 of `/api/health`, and what it takes up afterwards. */
export const start: Benchmark = async () => {
  await using warm = await dataFolder();
  const command = await build(join(warm.path, 'platform'));
  const places = { data: join(warm.path, 'data'), compiled: join(warm.path, 'compiled') };
  await startOnce(command, places);
  const measured = KINDS.map((kind) => ({ ...kind, starts: [] as Started[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { data, compiled, starts } of measured) {
      await using cold = await dataFolder();
      const at = (state: string, name: string) => join((state === 'cold' ? cold : warm).path, name);
      starts.push(await startOnce(command, { data: at(data, 'data'), compiled: at(compiled, 'compiled') }));
    }
  }
  const rows = measured.map(({ name, wall, starts }) => {
    const of = (part: keyof Started) => median(starts.map((each) => each[part]));
    return { name, bar: wall, wall: of('wall'), cpu: of('cpu'), idle: of('idle') };
  });
  return {
    title: 'Start to serve',
    how: `\`symbolon serve\` of what \`npm run build\` makes, from the start of its process to the first 200 of \`/api/health\`, then ${IDLE_MS / 1000} s without a request; ${ROUNDS} interleaved rounds, medians. Node keeps compiled modules between runs; the first line starts without them.`,
    table: {
      head: ['start', 'ms', 'ms of CPU', 'MB idle'],
      rows: rows.map(({ name, wall, cpu, idle }) => [
        name,
        figure(wall * 1000, 0),
        figure(cpu * 1000, 0),
        figure(idle, 0),
      ]),
    },
    bars: [
      ...rows.map(({ name, bar, wall }) => atMost(name, wall, bar, ' s')),
      ...rows.slice(-1).map(({ cpu }) => atMost('processor time of the last', cpu, CPU_MOST, ' s')),
      ...rows.slice(-1).map(({ idle }) => atMost('memory of the last', idle, IDLE_MOST, ' MB')),
    ],
  };
};

/** The command as it is installed. In the smallest setting it is the bundle of the tests, where there is one. */
async function build(folder: string): Promise<string> {
  if (SMALL) return bundled(COMMAND);
  execFileSync(process.execPath, [BUILD, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'lib/main.js');
}

async function startOnce(command: string, folders: { data: string; compiled: string }): Promise<Started> {
  const port = await freePort();
  const from = performance.now();
  const platform = spawn(process.execPath, [command, 'serve', '--port', String(port)], {
    env: {
      ...process.env,
      ...platformEnvironment(folders.data),
      SYMBOLON_HOST: HOST,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: folders.compiled,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilHealthy(`${baseAt(port)}/api/health`, platform);
  const wall = (performance.now() - from) / 1000;
  const pid = platform.pid ?? 0;
  const { ownSeconds: cpu } = statOf(pid);
  await pause(IDLE_MS);
  const idle = residentMegabytes(pid);
  const exited = once(platform, 'exit');
  platform.kill('SIGTERM');
  await exited;
  return { wall, cpu, idle };
}

async function untilHealthy(url: string, platform: ChildProcess): Promise<void> {
  while (platform.exitCode === null) {
    try {
      const response = await fetch(url);
      await response.arrayBuffer();
      if (response.ok) return;
    } catch {}
    await pause(5);
  }
  throw new Error(`The platform ended early (${platform.exitCode}).`);
}

if (import.meta.main) await runAlone(start);
