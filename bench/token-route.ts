import { createService, tokenForm } from './support/actors.ts';
import { Child } from './support/child.ts';
import { LoadGenerator, lanes } from './support/load.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atLeast, type Benchmark, figure, runAlone } from './support/report.ts';
import { median, pairedRatio, quantile } from './support/stats.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
const SECONDS = 0.6;
const CONNECTIONS = 32;

/** `client_credentials` beside oidc-provider and beside the least that node:http can do. */
export const tokenRoute: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform);
  const form = tokenForm(service);
  const answer = JSON.stringify(await platform.call('POST', '/oauth2/token', { form }));
  const oidc = (format: string) =>
    Child.start<string>('oidc.ts', [service.clientId, service.clientSecret, format]);
  const jwt = await oidc('jwt');
  const opaque = await oidc('opaque');
  const emptyAnswer = {
    token_type: 'Bearer',
    expires_in: 3600,
    access_token: '',
    client_id: service.clientId,
  };
  const tokenLength = answer.length - JSON.stringify(emptyAnswer).length;
  const bare = await Child.start<string>('bare-http.ts', [String(tokenLength)]);
  const generator = await LoadGenerator.start();

  const sides = [
    { name: 'Symbolon', url: `${platform.url}/oauth2/token`, usage: () => platform.usage() },
    { name: 'oidc-provider, signed tokens', url: `${jwt.ready}/token`, usage: () => jwt.usage() },
    { name: 'oidc-provider, opaque tokens', url: `${opaque.ready}/token`, usage: () => opaque.usage() },
    { name: 'bare node:http', url: `${bare.ready}/`, usage: () => bare.usage() },
  ].map((side) => ({
    ...side,
    rates: [] as number[],
    cpu: [] as number[],
    p99: [] as number[],
  }));

  // The first rounds warm every side up and are thrown away.
  for (let round = -4; round < ROUNDS; round++) {
    for (const side of sides) {
      const before = await side.usage();
      const request = {
        url: side.url,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams(form).toString(),
      } as const;
      const result = await generator.run({
        lanes: lanes(CONNECTIONS, request),
        seconds: SECONDS,
        awake: true,
      });
      const after = await side.usage();
      if (round < 0) continue;
      side.rates.push(result.requests / (result.elapsedMs / 1000));
      side.cpu.push((after.cpuMicros - before.cpuMicros) / result.requests);
      side.p99.push(quantile(result.latenciesMs, 0.99));
    }
  }
  await Promise.all([jwt.stop(), opaque.stop(), bare.stop(), generator.stop()]);

  const [ours, signed, , least] = sides.map((side) => side.rates);
  if (!ours || !signed || !least) throw new Error('A side is missing.');
  return {
    title: 'Token route',
    how: `\`POST /oauth2/token\`, \`client_credentials\`, ${CONNECTIONS} keep-alive connections with one request in flight each, ${ROUNDS} interleaved rounds of ${SECONDS} s, medians. Ratios are medians of the quotients round by round.`,
    table: {
      head: ['server', 'requests/s', 'server CPU µs/request', 'p99 ms', 'Symbolon is'],
      rows: sides.map((side) => [
        side.name,
        figure(median(side.rates)),
        figure(median(side.cpu)),
        figure(median(side.p99)),
        side.rates === ours ? '' : `${figure(pairedRatio(ours, side.rates))} ×`,
      ]),
    },
    bars: [
      atLeast('of oidc-provider with signed tokens, as ours are', pairedRatio(ours, signed), 4),
      atLeast('of bare node:http', pairedRatio(ours, least), 0.5),
    ],
  };
};

if (import.meta.main) await runAlone(tokenRoute);
