/** Processes of two versions on one PostgreSQL, under load: the newer one has one more migration, beside which the older may go on. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { bundled, compileCacheOf } from '@symbolon/testkit/platform/bundle';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { NEWER } from '@symbolon/testkit/platform/newer';
import { OPERATOR } from '@symbolon/testkit/platform/places';
import { type PlatformProcess, processScript } from '@symbolon/testkit/platform/process';
import { Random } from '@symbolon/testkit/platform/random';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import { without } from '@symbolon/testkit/tools';
import { World } from '../faults/support/world.ts';

const SEED = 20_260_101;
/** Others do the work. */
const LOOK_MS = 50;
const noPostgres = engines.includes('postgres') ? without('pg_dump') : 'PostgreSQL not found';
const skip = isAtLength ? noPostgres : 'with --all';

test('a version that says roll takes the place of the one before process by process, under load', {
  skip,
}, async (t) => {
  const random = new Random(SEED);
  const world = await World.create({ random, processes: 2, databaseUrl: 'new' });
  try {
    const failures = world.servers.map(failuresOf);
    const [first, second] = world.servers as [PlatformProcess, PlatformProcess];
    const newer = async (...args: string[]) => {
      const script = await bundled(processScript('newer'));
      const env = { ...process.env, NODE_COMPILE_CACHE: compileCacheOf(script), ...world.environment };
      return (await promisify(execFile)(process.execPath, [script, ...args], { env })).stdout;
    };
    const backup = await first.call('POST', '/api/admin/backup', { token: OPERATOR });
    assert.equal(backup.status, 200);
    const said = JSON.parse(await newer('upgrade', 'check', '--json'));
    assert.deepEqual([said.verdict, said.pending], ['roll', [NEWER]]);

    const load = world.load();
    load.start(random.fork(), 4);
    const goesOn = async (what: string) => {
      const lived = load.lived;
      await eventually(what, () => load.lived > lived + 4 || undefined, LOOK_MS);
    };
    await goesOn('the older version serves');
    await replace(first, true);
    assert.equal(JSON.parse(await newer('upgrade', 'check', '--json')).pending.length, 0);
    await goesOn('both versions serve');
    // An older process that ends meanwhile starts again.
    await replace(second, false);
    await goesOn('an older process starts beside the newer one');
    await replace(second, true);
    await goesOn('the newer version serves');
    await load.stop();
    await world.settle();
    t.diagnostic(await world.judge());
    assert.deepEqual(failures.flat(), []);
  } finally {
    await world.end();
  }
});

/** In order, as an orchestrator does. */
async function replace(server: PlatformProcess, isNewer: boolean): Promise<void> {
  await server.stop();
  server.extra = isNewer ? { SYMBOLON_FAULTS_NEWER: '1' } : {};
  await server.start();
}

/** Every answer that says that the platform made a mistake; those of a process that ends or waits say something else. */
function failuresOf(server: PlatformProcess): string[] {
  const failures: string[] = [];
  const call = server.call.bind(server);
  server.call = async (method, path, given): Promise<Answer> => {
    const answer = await call(method, path, given);
    if (answer.status === 500) failures.push(`${method} ${path}: ${answer.text}`);
    return answer;
  };
  return failures;
}
