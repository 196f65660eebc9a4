import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseAt, freePort, HOST } from '@symbolon/testkit/platform/address';
import { dataFolder, platformEnvironment } from './support/platform.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, sized } from './support/setting.ts';
import { median } from './support/stats.ts';

const ROUNDS = rounds(9);
const COMMAND = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url));

/** From the start of the process to the first 200 of `/api/health`. */
export const start: Benchmark = async () => {
  await using warm = await dataFolder();
  await startOnce({ dataDir: join(warm.path, 'data'), compiled: join(warm.path, 'compiled') });
  const kinds = [
    { name: 'first ever: empty data folder, nothing compiled', data: 'cold', compiled: 'cold' },
    { name: 'empty data folder', data: 'cold', compiled: 'warm' },
    { name: 'existing data folder', data: 'warm', compiled: 'warm' },
  ]
    .slice(sized(0, 2))
    .map((kind) => ({ ...kind, times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { data, compiled, times } of kinds) {
      await using cold = await dataFolder();
      times.push(
        await startOnce({
          dataDir: join((data === 'cold' ? cold : warm).path, 'data'),
          compiled: join((compiled === 'cold' ? cold : warm).path, 'compiled'),
        }),
      );
    }
  }
  return {
    title: 'Start to serve',
    how: `\`symbolon serve\` from the start of its process to the first 200 of \`/api/health\`, ${ROUNDS} interleaved rounds, medians. Node keeps compiled modules between runs; the first line starts without them.`,
    table: {
      head: ['start', 'ms', 'slowest'],
      rows: kinds.map(({ name, times }) => [name, figure(median(times), 0), figure(Math.max(...times), 0)]),
    },
    bars: kinds.map(({ name, times }) => atMost(name, median(times) / 1000, 1, ' s')),
  };
};

async function startOnce(folders: { dataDir: string; compiled: string }): Promise<number> {
  const port = await freePort();
  const from = performance.now();
  const platform = spawn(process.execPath, [COMMAND, 'serve', '--port', String(port)], {
    env: {
      ...process.env,
      ...platformEnvironment(folders.dataDir),
      SYMBOLON_HOST: HOST,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: folders.compiled,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilHealthy(`${baseAt(port)}/api/health`, platform);
  const took = performance.now() - from;
  const exited = once(platform, 'exit');
  platform.kill('SIGTERM');
  await exited;
  return took;
}

async function untilHealthy(url: string, platform: ChildProcess): Promise<void> {
  while (platform.exitCode === null) {
    try {
      const response = await fetch(url);
      await response.arrayBuffer();
      if (response.ok) return;
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`The platform ended early (${platform.exitCode}).`);
}

if (import.meta.main) await runAlone(start);
