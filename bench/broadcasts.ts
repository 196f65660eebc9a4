import { Listener } from '@symbolon/testkit/platform/event-stream';
import { connectPerson, createService, dataToken, tokenForm } from './support/actors.ts';
import { LoadGenerator, lanes } from './support/load.ts';
import { dataFolder, FORWARDED, Platform } from './support/platform.ts';
import { atLeast, atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { connectMany, openSeed } from './support/seed.ts';
import { sized } from './support/setting.ts';
import { quantile } from './support/stats.ts';

const PEOPLE = Number(process.env.BENCH_PEOPLE ?? sized(100_000, 20));
const SECONDS = sized(12, 0.2);
const CONNECTIONS = 2;

/**
 * A broadcast to all people of a large service, while other companies get tokens: how long the call takes, after which everybody
 * has it, and how long it takes to tell all devices.
 */
export const broadcasts: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform);
  const token = await dataToken(platform, service);
  {
    await using seed = await openSeed(folder.path);
    // One more comes by the API, last of all.
    await connectMany(seed, { ...service, rows: {} }, PEOPLE - 1, () => '');
  }
  const last = await connectPerson(platform, service);
  const heard = Promise.withResolvers<number>();
  const device = await Listener.open(platform, last, ({ name }) => {
    if (name === 'message') heard.resolve(performance.now());
  });
  const generator = await LoadGenerator.start();
  const load = generator.run({
    lanes: lanes(CONNECTIONS, {
      url: `${platform.url}/oauth2/token`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...FORWARDED },
      body: tokenForm(service).toString(),
    }),
    seconds: SECONDS,
  });
  await pause(sized(1000, 50));
  const from = performance.now();
  const { recipients } = await platform.must('POST', '/api/company-data/broadcast', {
    token,
    body: { body: 'We are closed on Monday.' },
  });
  const sentMs = performance.now() - from;
  const path = `/api/services/${service.id}/jobs`;
  const isDone = async () => {
    const { jobs } = await platform.must('GET', path, { token: service.company.token });
    return jobs.some(
      ({ kind, state }: { kind: string; state: string }) => kind === 'broadcast' && state === 'done',
    );
  };
  while (!(await isDone())) await pause(50);
  const toldMs = performance.now() - from;
  const heardAt = await heard.promise;
  const { latenciesMs, requests } = await load;
  await generator.stop();
  device.close();
  const p99 = quantile(latenciesMs, 0.99);
  const rate = (recipients * 1000) / toldMs;
  return {
    title: 'A broadcast',
    how: `To ${recipients} people of one service, over HTTP, while ${CONNECTIONS} connections fetch tokens without a pause, for ${SECONDS} s (${requests} tokens). The person who connected last listens on an event stream.`,
    table: {
      head: ['what', 'measured'],
      rows: [
        ['call answered, everybody has it', `${figure(sentMs)} ms`],
        ['signal on the last device', `${figure(heardAt - from)} ms`],
        ['all devices signalled', `${figure(toldMs)} ms`],
        ['people signalled a second', figure(rate)],
        ['token request, median', `${figure(quantile(latenciesMs, 0.5))} ms`],
        ['token request, 99th percentile', `${figure(p99)} ms`],
      ],
    },
    bars: [
      atLeast('people a second', rate, 10_000, ''),
      atMost('token request, 99th percentile', p99, 50, ' ms'),
    ],
  };
};

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (import.meta.main) await runAlone(broadcasts);
