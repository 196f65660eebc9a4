import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { type BenchService, createService } from './support/actors.ts';
import { Child, type Usage } from './support/child.ts';
import { LoadGenerator } from './support/load.ts';
import { dataFolder, FORWARDED, Platform } from './support/platform.ts';
import { atLeast, type Benchmark, figure, runAlone } from './support/report.ts';
import { SignInCodes } from './support/sign-in-codes.ts';
import { median, pairedRatio, quantile } from './support/stats.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const CODES = 640;
const CONNECTIONS = 32;
const SIGNATURES = 500;
const REDIRECT_URI = 'https://shop.example/back';
const VERIFIER = randomBytes(32).toString('base64url');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

interface App {
  readonly clientId: string;
  readonly secret: string;
}

interface Side {
  readonly app: App;
  readonly name: string;
  readonly url: string;
  readonly mint: () => Promise<string[]>;
  readonly usage: () => Promise<Usage>;
}

/**
 * Exchanges of codes with PKCE for a signed id_token and an access token, beside oidc-provider: under RS256, where most of the
 * time is the signature itself, and under EdDSA.
 */
export const codeExchange: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform);
  await using codes = await SignInCodes.open(folder.path);
  const generator = await LoadGenerator.start();
  const children: Child<string>[] = [];

  const pairFor = async (algorithm: 'RS256' | 'EdDSA') => {
    const app = await createApp(platform, service, algorithm);
    const child = await Child.start<string>('oidc-codes.ts', [
      app.clientId,
      app.secret,
      REDIRECT_URI,
      algorithm,
    ]);
    children.push(child);
    const { companyId } = service;
    const of = { companyId, clientId: app.clientId, redirectUri: REDIRECT_URI };
    const ours = measured({
      name: `Symbolon, ${algorithm}`,
      app,
      url: `${platform.url}/oauth2/token`,
      mint: () => codes.mint(of, CODES, CHALLENGE),
      usage: () => platform.usage(),
    });
    const theirs = measured({
      name: `oidc-provider, ${algorithm}, rows in memory`,
      app,
      url: `${child.ready}/token`,
      mint: () => child.ask<string[]>({ count: CODES, challenge: CHALLENGE }),
      usage: () => child.usage(),
    });
    return { ours, theirs };
  };
  const pairs = [await pairFor('RS256'), await pairFor('EdDSA')];

  // The first rounds warm both sides up and are thrown away.
  for (let round = -3; round < ROUNDS; round++) {
    for (const side of pairs.flatMap(({ ours, theirs }) => [ours, theirs])) {
      const bodies = (await side.mint()).map((code) => formOf(side.app, code));
      const before = await side.usage();
      const result = await generator.run({
        lanes: Array.from({ length: CONNECTIONS }, (_, lane) => ({
          url: side.url,
          method: 'POST',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            accept: 'application/json',
            ...FORWARDED,
          },
          bodies: bodies.filter((_body, index) => index % CONNECTIONS === lane),
        })),
        seconds: 60,
        awake: true,
      });
      const after = await side.usage();
      if (round < 0) continue;
      side.rates.push(result.requests / (result.elapsedMs / 1000));
      side.cpu.push((after.cpuMicros - before.cpuMicros) / result.requests);
      side.p99.push(quantile(result.latenciesMs, 0.99));
    }
  }
  await Promise.all([...children.map((child) => child.stop()), generator.stop()]);

  const [rsa, eddsa] = pairs.map(({ ours, theirs }) => pairedRatio(ours.rates, theirs.rates));
  return {
    title: 'Code exchange',
    how: `\`POST /oauth2/token\`, \`authorization_code\` with PKCE and a secret in the form: an id_token under the algorithm named and an access token under HS256 on both sides. Whoever makes it, an RSA signature takes ${figure(signatureMicros())} µs of processor time on this machine. ${CODES} codes in each of ${ROUNDS} interleaved rounds over ${CONNECTIONS} keep-alive connections with one request in flight each, medians. The platform saves that a code was used, durably; oidc-provider has its rows in memory.`,
    table: {
      head: ['server', 'exchanges/s', 'server CPU µs/exchange', 'p99 ms', 'Symbolon is'],
      rows: pairs.flatMap(({ ours, theirs }) =>
        [ours, theirs].map((side) => [
          side.name,
          figure(median(side.rates)),
          figure(median(side.cpu)),
          figure(median(side.p99)),
          side === ours ? '' : `${figure(pairedRatio(ours.rates, side.rates))} ×`,
        ]),
      ),
    },
    bars: [
      atLeast('of oidc-provider with signed tokens, RS256', rsa ?? Number.NaN, 3),
      atLeast('of oidc-provider with signed tokens, EdDSA', eddsa ?? Number.NaN, 3),
    ],
  };
};

async function createApp(platform: Platform, service: BenchService, algorithm: string): Promise<App> {
  const made = await platform.call<{ client_id: string; client_secret: string }>(
    'POST',
    '/api/account/oauth-apps',
    {
      token: service.portal,
      json: {
        name: 'Shop',
        redirect_uris: [REDIRECT_URI],
        public_key: service.keys.publicKey,
        id_token_signed_response_alg: algorithm,
      },
    },
  );
  return { clientId: made.client_id, secret: made.client_secret };
}

/** What no server can go below for an RS256 id_token. */
function signatureMicros(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const data = randomBytes(300);
  const before = process.cpuUsage();
  for (let n = 0; n < SIGNATURES; n++) sign('sha256', data, privateKey);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / SIGNATURES;
}

function measured(side: Side) {
  return { ...side, rates: [] as number[], cpu: [] as number[], p99: [] as number[] };
}

function formOf({ clientId, secret }: App, code: string): string {
  return new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: secret,
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
  }).toString();
}

if (import.meta.main) await runAlone(codeExchange);
