import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { readConfig } from '../../../server/src/core/config.ts';
import type { Engine } from '../../../server/src/db/database.ts';
import type { App } from '../../../server/src/http/app.ts';
import { createFrontDoorContext } from '../../../server/src/roles/front-door.ts';
import { createServer as createAppServer, stopServing } from '../../../server/src/roles/server.ts';
import { observe } from '../evidence/evidence.ts';
import { CALL_MOST_MS } from '../limits.ts';
import { baseAt, freePort, HOST } from './address.ts';
import { engines, usualEngines } from './engines.ts';
import { refuseLateWrites } from './late-writes.ts';
import { openPlace } from './places.ts';
import { FakeClock, on, type RunningPlatform, startPlatform, type TestPlatform } from './platform.ts';

/** Several regions behind a front door, each with its own database, on real sockets, under one clock. */
export interface TestRegions extends AsyncDisposable {
  /** The front door's base. */
  readonly url: string;
  readonly clock: FakeClock;
  /** The front door's server. */
  readonly app: App;
  readonly frontDoor: Awaited<ReturnType<typeof createFrontDoorContext>>['opened'];
  /** A region by its name. */
  region(name: string): RunningPlatform;
  /** Delivers what regions have to tell each other until nothing is left. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param engine of all of them, or of each by its name; the front door has that of the first
 * @param environment overrides for all of them
 */
export async function startRegions(
  engine: Engine | Readonly<Record<string, Engine>>,
  names: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  clock = new FakeClock(),
): Promise<TestRegions> {
  const engineOf = (name: string | undefined) =>
    typeof engine === 'string' ? engine : (engine[name ?? ''] ?? 'sqlite');
  const { SYMBOLON_HOST: host = HOST } = environment;
  const ports = [await freePort(host)];
  for (const _region of names) ports.push(await freePort(host));
  const urlOf = (index: number) => baseAt(ports[index] ?? 0, host);
  const shared = {
    SYMBOLON_SECRET: randomBytes(32).toString('base64'),
    SYMBOLON_REGIONS: names.map((name, index) => `${name}=${urlOf(index + 1)}`).join(','),
    SYMBOLON_FRONT_DOOR_URL: urlOf(0),
    SYMBOLON_HOST: host,
    ...environment,
  };

  const place = await openPlace(engineOf(names[0]));
  const config = readConfig({ ...place.environment, ...shared, SYMBOLON_ROLES: 'front-door' });
  const serving = await createFrontDoorContext(config, { clock, log: pino({ level: config.logLevel }) });
  refuseLateWrites(serving.core.database);
  const frontDoor = serving.opened;
  const app = createAppServer(serving, { answersWithin: CALL_MOST_MS });
  observe(app);
  await app.listen({ host, port: ports[0] ?? 0 });

  const regions = new Map<string, RunningPlatform>();
  for (const [index, name] of names.entries()) {
    const own = {
      ...shared,
      SYMBOLON_REGION: name,
      SYMBOLON_PORT: String(ports[index + 1]),
      SYMBOLON_ROLES: 'region,worker',
    };
    regions.set(name, await startPlatform(engineOf(name), own, clock));
  }
  const region = (name: string) => {
    const found = regions.get(name);
    if (found === undefined) throw new Error(`There is no region ${name}.`);
    return found;
  };
  const stop = async () => {
    for (const running of regions.values()) await running.stop();
    await app.close();
    await stopServing(serving);
    await place[Symbol.asyncDispose]();
  };
  return {
    url: urlOf(0),
    clock,
    app,
    frontDoor,
    region,
    async settle() {
      for (let idle = false; !idle; ) {
        idle = true;
        for (const { context } of regions.values()) {
          if ((await deliverAll(context)) > 0) idle = false;
        }
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Does the jobs and deletions of a region and sends what it has queued for others; gives how many messages were taken in. */
async function deliverAll({
  deletionWorker,
  jobWorker,
  messageSender,
}: TestPlatform['context']): Promise<number> {
  await jobWorker.run();
  await deletionWorker.run();
  return messageSender.sendAll();
}

/** Declares tests of regions, which start before the first of them; on the engines of `onPlatform`. */
export function withRegions(
  title: string,
  names: readonly string[],
  declare: (regions: () => TestRegions) => void,
  environment?: Readonly<Record<string, string>>,
  which: readonly Engine[] = usualEngines,
): void {
  on(which, title, (engine) => startRegions(engine, names, environment), declare);
}

/** The same for tests that are about SQL, locks or concurrency: they always run on every engine. */
export function withRegionsOnEachEngine(
  ...[title, names, declare, environment]: Parameters<typeof withRegions>
): void {
  withRegions(title, names, declare, environment, engines);
}
