import { randomBytes } from 'node:crypto';
import { baseAt, freePort, HOST } from '@symbolon/testkit/platform/address';
import { startKeepingNginx } from '@symbolon/testkit/servers/proxies';
import { findTool } from '@symbolon/testkit/tools';
import { createService, tokenForm } from './support/actors.ts';
import { Child, type Usage } from './support/child.ts';
import { FORM_HEADERS, LoadGenerator, lanes } from './support/load.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atLeast, atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { SIDE_HEAD, Side } from './support/side.ts';
import { pairedRatio } from './support/stats.ts';

const ROUNDS = rounds(25);
const SECONDS = sized(0.6, 0.02);
const CONNECTIONS = sized(32, 2);

/**
 * `client_credentials` as the docs recommend to run the platform: behind a reverse proxy whose word for the source address
 * is taken. Beside it oidc-provider, and the least that node:http can do.
 */
export const tokenRoute: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform);
  const form = tokenForm(service);
  const answer = JSON.stringify(await platform.must('POST', '/oauth2/token', { body: form }));
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
  await using proxies = new AsyncDisposableStack();
  const nginx = async (url: string) => proxies.adopt(await startKeepingNginx(url), (proxy) => proxy.stop());
  const generator = await LoadGenerator.start();

  const side = (name: string, server: { usage(): Promise<Usage> }, url: string, body = form) => ({
    side: new Side(name, server),
    request: { url, method: 'POST', headers: FORM_HEADERS, body: body.toString() } as const,
  });
  const oidcSigned = 'oidc-provider, signed';
  const ours = side('Symbolon', platform, `${platform.url}/oauth2/token`);
  const signed = side(`${oidcSigned} tokens`, jwt, `${jwt.ready}/token`);
  const passedOn = side(
    'Symbolon: front door, then region',
    routed,
    `${routed.url}/oauth2/token`,
    routed.form,
  );
  const plain = side('bare node:http', bare, `${bare.ready}/`);
  const sides = [
    ours,
    passedOn,
    signed,
    side('oidc-provider, opaque tokens', opaque, `${opaque.ready}/token`),
    plain,
  ];
  /** Ours and theirs. */
  const proxied: (typeof ours)[] = [];
  if (findTool('nginx') !== undefined) {
    const [symbolon, provider] = [await nginx(platform.url), await nginx(jwt.ready)];
    proxied.push(side('Symbolon through nginx', platform, `${symbolon.url}/oauth2/token`));
    proxied.push(side(`${oidcSigned}, through nginx`, jwt, `${provider.url}/token`));
    sides.push(...proxied);
  }
  /** How many times the processor time of one side the other takes. */
  const timesOf = (one: typeof ours | undefined, other: typeof ours | undefined) =>
    pairedRatio(other?.side.cpu ?? [], one?.side.cpu ?? []);

  // The first rounds warm every side up and are thrown away.
  for (let round = -warmUps(4); round < ROUNDS; round++) {
    for (const { side, request } of sides) {
      const load = { lanes: lanes(CONNECTIONS, request), seconds: SECONDS, awake: true };
      await side.load(generator, load, round);
    }
  }
  await Promise.all([jwt, opaque, bare, generator].map((one) => one.stop()));

  return {
    title: 'Token route',
    how: `\`POST /oauth2/token\`, \`client_credentials\`, with the headers of a reverse proxy and SYMBOLON_TRUST_PROXY=true; ${CONNECTIONS} keep-alive connections with one request in flight each, ${ROUNDS} interleaved rounds of ${SECONDS} s, medians. Ratios are of processor time a request, medians of the quotients round by round: rates say the same on a machine that does nothing else. The front door and its region are two processes, whose processor time is added up. nginx takes its own share of the machine on both sides.`,
    table: {
      head: ['server', ...SIDE_HEAD, 'Symbolon is'],
      rows: sides.map(({ side }) => [
        ...side.row(),
        side === ours.side ? '' : `${figure(pairedRatio(side.cpu, ours.side.cpu))} ×`,
      ]),
    },
    bars: [
      atLeast('of oidc-provider with signed tokens, as ours are', timesOf(ours, signed), 4.5),
      atMost('of bare node:http, in processor time', timesOf(plain, ours), 2.2),
      atLeast('the same, as front door and region', timesOf(passedOn, signed), 1.2),
      ...(proxied.length === 0
        ? []
        : [atLeast('the same, both through nginx', timesOf(proxied[0], proxied[1]), 3)]),
      atMost(
        'p99 of front door and region, of one process',
        pairedRatio(passedOn.side.p99, ours.side.p99),
        3,
      ),
    ],
  };
};

/** A front door that is no region, with one region behind it, each in a process of its own. */
class FrontDoor implements AsyncDisposable {
  readonly url: string;
  readonly form: URLSearchParams;
  readonly #platforms: readonly Platform[];
  readonly #stack: AsyncDisposableStack;

  private constructor(
    platforms: readonly [door: Platform, region: Platform],
    form: URLSearchParams,
    stack: AsyncDisposableStack,
  ) {
    this.url = platforms[0].url;
    this.form = form;
    this.#platforms = platforms;
    this.#stack = stack;
  }

  static async start(): Promise<FrontDoor> {
    await using stack = new AsyncDisposableStack();
    const [front, behind] = [await freePort(), await freePort()];
    const shared = {
      SYMBOLON_HOST: HOST,
      SYMBOLON_SECRET: randomBytes(32).toString('base64'),
      SYMBOLON_REGIONS: `eu=${baseAt(behind)}`,
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
    return new FrontDoor([door, region], form, stack.move());
  }

  /** Of both. */
  async usage(): Promise<Usage> {
    const used = await Promise.all(this.#platforms.map((platform) => platform.usage()));
    const sum = (part: keyof Usage) => used.reduce((total, each) => total + each[part], 0);
    return { cpuMicros: sum('cpuMicros'), rss: sum('rss'), peakRss: sum('peakRss') };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

if (import.meta.main) await runAlone(tokenRoute);
