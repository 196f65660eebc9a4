import { randomBytes } from 'node:crypto';
import { createService, tokenForm } from './support/actors.ts';
import { Child, type Usage } from './support/child.ts';
import { LoadGenerator, lanes } from './support/load.ts';
import { Nginx } from './support/nginx.ts';
import { dataFolder, FORWARDED, Platform } from './support/platform.ts';
import { freePorts } from './support/ports.ts';
import { atLeast, type Benchmark, figure, runAlone } from './support/report.ts';
import { median, pairedRatio, quantile } from './support/stats.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
const SECONDS = 0.6;
const CONNECTIONS = 32;

/** One server that answers token requests. */
interface Side {
  readonly name: string;
  readonly url: string;
  readonly form: Record<string, string>;
  readonly usage: () => Promise<Usage>;
}

/**
 * `client_credentials` as the docs recommend to run the platform: behind a reverse proxy whose word for the source address
 * is taken. Beside it oidc-provider, and the least that node:http can do.
 */
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
  await using routed = await FrontDoor.start();
  await using nginx = await Nginx.start([platform.url, jwt.ready]);
  const generator = await LoadGenerator.start();

  const ours = measured({
    name: 'Symbolon',
    url: `${platform.url}/oauth2/token`,
    form,
    usage: () => platform.usage(),
  });
  const door = measured({ name: 'Symbolon: front door, then region', ...routed.side });
  const signed = measured({
    name: 'oidc-provider, signed tokens',
    url: `${jwt.ready}/token`,
    form,
    usage: () => jwt.usage(),
  });
  const least = measured({ name: 'bare node:http', url: `${bare.ready}/`, form, usage: () => bare.usage() });
  const sides = [
    ours,
    door,
    signed,
    measured({
      name: 'oidc-provider, opaque tokens',
      url: `${opaque.ready}/token`,
      form,
      usage: () => opaque.usage(),
    }),
    least,
    ...(nginx === undefined
      ? []
      : [
          measured({ ...ours, name: 'Symbolon through nginx', url: `${nginx.urls[0]}/oauth2/token` }),
          measured({
            ...signed,
            name: 'oidc-provider, signed, through nginx',
            url: `${nginx.urls[1]}/token`,
          }),
        ]),
  ];

  // The first rounds warm every side up and are thrown away.
  for (let round = -4; round < ROUNDS; round++) {
    for (const side of sides) {
      const before = await side.usage();
      const request = {
        url: side.url,
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          ...FORWARDED,
        },
        body: new URLSearchParams(side.form).toString(),
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

  return {
    title: 'Token route',
    how: `\`POST /oauth2/token\`, \`client_credentials\`, with the headers of a reverse proxy and SYMBOLON_TRUST_PROXY=true; ${CONNECTIONS} keep-alive connections with one request in flight each, ${ROUNDS} interleaved rounds of ${SECONDS} s, medians. Ratios are medians of the quotients round by round. The front door and its region are two processes, whose processor time is added up. nginx takes its own share of the machine on both sides.`,
    table: {
      head: ['server', 'requests/s', 'server CPU µs/request', 'p99 ms', 'Symbolon is'],
      rows: sides.map((side) => [
        side.name,
        figure(median(side.rates)),
        figure(median(side.cpu)),
        figure(median(side.p99)),
        side === ours ? '' : `${figure(pairedRatio(ours.rates, side.rates))} ×`,
      ]),
    },
    bars: [
      atLeast('of oidc-provider with signed tokens, as ours are', pairedRatio(ours.rates, signed.rates), 3),
    ],
  };
};

function measured(side: Side) {
  return { ...side, rates: [] as number[], cpu: [] as number[], p99: [] as number[] };
}

/** A front door that is no region, with one region behind it, each in a process of its own. */
class FrontDoor implements AsyncDisposable {
  readonly side: Omit<Side, 'name'>;
  readonly #stack: AsyncDisposableStack;

  private constructor(side: Omit<Side, 'name'>, stack: AsyncDisposableStack) {
    this.side = side;
    this.#stack = stack;
  }

  static async start(): Promise<FrontDoor> {
    await using stack = new AsyncDisposableStack();
    const [front = 0, behind = 0] = await freePorts(2);
    const shared = {
      SYMBOLON_SECRET: randomBytes(32).toString('base64'),
      SYMBOLON_REGIONS: `eu=http://127.0.0.1:${behind}`,
    };
    const start = async (environment: Record<string, string>) =>
      stack.use(await Platform.start(stack.use(await dataFolder()).path, { ...shared, ...environment }));
    const door = await start({ SYMBOLON_ROLES: 'front-door', SYMBOLON_PORT: String(front) });
    const region = await start({
      SYMBOLON_ROLES: 'region,worker',
      SYMBOLON_PORT: String(behind),
      SYMBOLON_REGION: 'eu',
      SYMBOLON_FRONT_DOOR_URL: door.url,
    });
    const form = tokenForm(await createService(region));
    const usage = async () => {
      const [one, other] = await Promise.all([door.usage(), region.usage()]);
      return { ...one, cpuMicros: one.cpuMicros + other.cpuMicros };
    };
    return new FrontDoor({ url: `${door.url}/oauth2/token`, form, usage }, stack.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

if (import.meta.main) await runAlone(tokenRoute);
