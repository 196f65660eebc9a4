import { pino } from 'pino';
import { authorise } from '../packages/server/src/access/rules.ts';
import { createContext } from '../packages/server/src/context.ts';
import { systemClock } from '../packages/server/src/core/clock.ts';
import { readConfig } from '../packages/server/src/core/config.ts';
import { stopServing } from '../packages/server/src/roles/server.ts';
import { createService, dataToken } from './support/actors.ts';
import { Child } from './support/child.ts';
import { LoadGenerator, lanes } from './support/load.ts';
import { dataFolder, FORWARDED, Platform, platformEnvironment } from './support/platform.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { median, pairedRatio } from './support/stats.ts';

const ROUNDS = rounds(25);
const CALLS = sized(5_000, 32);
/** Short rounds: what disturbs one side of a pair then disturbs the other too. */
const SECONDS = sized(0.3, 0.02);
const PATH = '/api/company-data/whoami';

/** What it costs a data call that its caller is known and allowed, and what it costs beside the least that node:http can do. */
export const authentication: Benchmark = async () => {
  await using folder = await dataFolder();
  let token: string;
  const http = { whoami: [] as number[], health: [] as number[], bare: [] as number[] };
  {
    await using platform = await Platform.start(folder.path);
    const service = await createService(platform);
    token = await dataToken(platform, service);
    const generator = await LoadGenerator.start();
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', ...FORWARDED };
    const answer = JSON.stringify(await platform.must('GET', PATH, { token }));
    const textLength = answer.length - JSON.stringify({ text: '' }).length;
    const bare = await Child.start<string>('bare-http.ts', [String(textLength)]);
    for (let round = -warmUps(6); round < ROUNDS; round++) {
      for (const [name, url, server] of [
        ['whoami', platform.url + PATH, platform],
        ['bare', bare.ready + PATH, bare],
        ['health', `${platform.url}/api/health`, platform],
      ] as const) {
        const before = await server.usage();
        const request = { url, method: 'GET', headers } as const;
        const load = { lanes: lanes(32, request), seconds: SECONDS, awake: true };
        const { requests } = await generator.run(load);
        const after = await server.usage();
        if (round >= 0) http[name].push((after.cpuMicros - before.cpuMicros) / requests);
      }
    }
    await bare.stop();
    await generator.stop();
  }

  // The server's own collaborators, without HTTP, over the same database.
  const config = readConfig(platformEnvironment(folder.path));
  const context = await createContext(config, { clock: systemClock, log: pino({ level: 'silent' }) });
  const admit = async () => {
    const principal = await context.authenticator.authenticate(`Bearer ${token}`, {
      ip: '127.0.0.1',
      method: 'GET',
      url: PATH,
      peer: null,
    });
    authorise(principal, ['data_client'], PATH);
  };
  const parts = [
    { name: 'token verified (signature, claims)', act: () => void context.core.tokens.verify(token) },
    {
      name: 'client looked up',
      act: () => context.clients.clients.identity(context.core.tokens.verify(token)?.sub ?? ''),
    },
    { name: 'authenticated and authorised', act: admit },
  ].map((part) => ({ ...part, micros: [] as number[] }));
  for (let round = -warmUps(4); round < ROUNDS; round++) {
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
    how: `Processor time a call, ${ROUNDS} interleaved rounds, medians. The first lines run the server's own objects over its database without HTTP, ${figure(CALLS, 0)} calls a round; the last three are whole requests under load, with the headers of a reverse proxy and SYMBOLON_TRUST_PROXY=true. The ratio is the median of the quotients round by round.`,
    table: {
      head: ['what', 'CPU µs/call'],
      rows: [
        ...parts.map(({ name, micros }) => [name, figure(median(micros))]),
        ['a whole `GET /api/company-data/whoami`', figure(median(http.whoami))],
        ['a bare node:http answer of the same size', figure(median(http.bare))],
        ['a whole `GET /api/health`, which asks the database too', figure(median(http.health))],
      ],
    },
    bars: [atMost('`whoami` of bare node:http, in processor time', pairedRatio(http.whoami, http.bare), 1.6)],
  };
};

if (import.meta.main) await runAlone(authentication);
