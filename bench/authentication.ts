import { pino } from 'pino';
import { authorise } from '../packages/server/src/access/rules.ts';
import { createContext } from '../packages/server/src/context.ts';
import { systemClock } from '../packages/server/src/core/clock.ts';
import { readConfig } from '../packages/server/src/core/config.ts';
import { stopServing } from '../packages/server/src/roles/server.ts';
import { createService, dataToken } from './support/actors.ts';
import { LoadGenerator, lanes } from './support/load.ts';
import { dataFolder, Platform, platformEnvironment } from './support/platform.ts';
import { type Benchmark, figure, runAlone } from './support/report.ts';
import { median } from './support/stats.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const CALLS = 20_000;
const PATH = '/api/company-data/whoami';

/** What it costs a data call that its caller is known and allowed: information, no bar. */
export const authentication: Benchmark = async () => {
  await using folder = await dataFolder();
  let token: string;
  const http = { whoami: [] as number[], health: [] as number[] };
  {
    await using platform = await Platform.start(folder.path);
    const service = await createService(platform);
    token = await dataToken(platform, service);
    const generator = await LoadGenerator.start();
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, path] of [
        ['whoami', PATH],
        ['health', '/api/health'],
      ] as const) {
        const before = await platform.usage();
        const request = { url: platform.url + path, method: 'GET', headers } as const;
        const { requests } = await generator.run({ lanes: lanes(32, request), seconds: 1, awake: true });
        const after = await platform.usage();
        if (round >= 0) http[name].push((after.cpuMicros - before.cpuMicros) / requests);
      }
    }
    await generator.stop();
  }

  // The server's own collaborators, without HTTP, over the same database.
  const config = readConfig(platformEnvironment(folder.path));
  const context = await createContext(config, { clock: systemClock, log: pino({ level: 'silent' }) });
  const admit = async () => {
    authorise(await context.authenticator.authenticate(`Bearer ${token}`), ['data_client'], PATH);
  };
  const parts = [
    { name: 'token verified (signature, claims)', act: () => void context.core.tokens.verify(token) },
    {
      name: 'client looked up',
      act: () => context.clients.clients.identity(context.core.tokens.verify(token)?.sub ?? ''),
    },
    { name: 'authenticated and authorised', act: admit },
  ].map((part) => ({ ...part, micros: [] as number[] }));
  for (let round = -1; round < ROUNDS; round++) {
    for (const { act, micros } of parts) {
      const before = process.cpuUsage();
      for (let call = 0; call < CALLS; call++) {
        await act();
        // A busy server finds some thirty requests in a turn of its event loop.
        if (call % 32 === 31) await new Promise(setImmediate);
      }
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) micros.push((user + system) / CALLS);
    }
  }
  await stopServing(context);

  return {
    title: 'Authentication and authorisation',
    how: `Processor time a call, ${ROUNDS} interleaved rounds, medians. The first lines run the server's own objects over its database without HTTP, ${figure(CALLS, 0)} calls a round; the last two are whole requests under load.`,
    table: {
      head: ['what', 'CPU µs/call'],
      rows: [
        ...parts.map(({ name, micros }) => [name, figure(median(micros))]),
        ['a whole `GET /api/company-data/whoami`', figure(median(http.whoami))],
        ['a whole `GET /api/health`, which asks the database too', figure(median(http.health))],
      ],
    },
    bars: [],
  };
};

if (import.meta.main) await runAlone(authentication);
