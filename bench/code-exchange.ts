import { createHash, randomBytes } from 'node:crypto';
import { createService } from './support/actors.ts';
import { Child, type Usage } from './support/child.ts';
import { LoadGenerator } from './support/load.ts';
import { dataFolder, FORWARDED, Platform } from './support/platform.ts';
import { atLeast, type Benchmark, figure, runAlone } from './support/report.ts';
import { SignInCodes } from './support/sign-in-codes.ts';
import { median, pairedRatio, quantile } from './support/stats.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const CODES = 640;
const CONNECTIONS = 32;
const REDIRECT_URI = 'https://shop.example/back';
const VERIFIER = randomBytes(32).toString('base64url');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

interface App {
  readonly clientId: string;
  readonly secret: string;
}

interface Side {
  readonly name: string;
  readonly url: string;
  readonly mint: () => Promise<string[]>;
  readonly usage: () => Promise<Usage>;
}

/** Exchanges of codes with PKCE for an id_token under RS256 and a signed access token, beside oidc-provider. */
export const codeExchange: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform);
  const made = await platform.call<{ client_id: string; client_secret: string }>(
    'POST',
    '/api/account/oauth-apps',
    {
      token: service.portal,
      json: { name: 'Shop', redirect_uris: [REDIRECT_URI], public_key: service.keys.publicKey },
    },
  );
  const app: App = { clientId: made.client_id, secret: made.client_secret };
  await using codes = await SignInCodes.open(folder.path);
  const oidc = await Child.start<string>('oidc-codes.ts', [app.clientId, app.secret, REDIRECT_URI]);
  const generator = await LoadGenerator.start();

  const ours = measured({
    name: 'Symbolon',
    url: `${platform.url}/oauth2/token`,
    mint: () =>
      codes.mint(
        { companyId: service.companyId, clientId: app.clientId, redirectUri: REDIRECT_URI },
        CODES,
        CHALLENGE,
      ),
    usage: () => platform.usage(),
  });
  const theirs = measured({
    name: 'oidc-provider, rows in memory',
    url: `${oidc.ready}/token`,
    mint: () => oidc.ask<string[]>({ count: CODES, challenge: CHALLENGE }),
    usage: () => oidc.usage(),
  });

  // The first rounds warm both sides up and are thrown away.
  for (let round = -3; round < ROUNDS; round++) {
    for (const side of [ours, theirs]) {
      const bodies = (await side.mint()).map((code) => formOf(app, code));
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
  await Promise.all([oidc.stop(), generator.stop()]);

  return {
    title: 'Code exchange',
    how: `\`POST /oauth2/token\`, \`authorization_code\` with PKCE and a secret in the form: an id_token under RS256 and an access token under HS256 on both sides. ${CODES} codes in each of ${ROUNDS} interleaved rounds over ${CONNECTIONS} keep-alive connections with one request in flight each, medians. The platform saves that a code was used, durably; oidc-provider has its rows in memory.`,
    table: {
      head: ['server', 'exchanges/s', 'server CPU µs/exchange', 'p99 ms', 'Symbolon is'],
      rows: [ours, theirs].map((side) => [
        side.name,
        figure(median(side.rates)),
        figure(median(side.cpu)),
        figure(median(side.p99)),
        side === ours ? '' : `${figure(pairedRatio(ours.rates, side.rates))} ×`,
      ]),
    },
    bars: [atLeast('of oidc-provider with signed tokens', pairedRatio(ours.rates, theirs.rates), 3)],
  };
};

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
