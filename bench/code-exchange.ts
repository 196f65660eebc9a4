import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createApp, exchangeForm, pkce, REDIRECT_URI } from '@symbolon/testkit/actors/sign-ins';
import { createService } from './support/actors.ts';
import { Child } from './support/child.ts';
import { FORM_HEADERS, LoadGenerator } from './support/load.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atLeast, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import { SIDE_HEAD, Side } from './support/side.ts';
import { openSignInCodes } from './support/sign-in-codes.ts';
import { pairedRatio } from './support/stats.ts';

const ROUNDS = rounds(15);
const CODES = sized(640, 4);
const CONNECTIONS = sized(32, 2);
const SIGNATURES = sized(500, 5);

/**
 * Exchanges of codes with PKCE for a signed id_token and an access token, beside oidc-provider: under RS256, where most of the
 * time is the signature itself, and under EdDSA.
 */
export const codeExchange: Benchmark = async () => {
  await using folder = await dataFolder();
  await using platform = await Platform.start(folder.path);
  const service = await createService(platform);
  await using codes = await openSignInCodes(folder.path);
  const { verifier, challenge } = pkce();
  const generator = await LoadGenerator.start();
  const children: Child<string>[] = [];

  const pairFor = async (algorithm: 'RS256' | 'EdDSA') => {
    const app = await createApp(platform, service.company, { id_token_signed_response_alg: algorithm });
    const child = await Child.start<string>('oidc.ts', [
      app.clientId,
      app.secret ?? '',
      'codes',
      REDIRECT_URI,
      algorithm,
    ]);
    children.push(child);
    const ours = {
      app,
      side: new Side(`Symbolon, ${algorithm}`, platform),
      url: `${platform.url}/oauth2/token`,
      mint: () => codes.mint(app, CODES, challenge),
    };
    const theirs = {
      app,
      side: new Side(`oidc-provider, ${algorithm}, rows in memory`, child),
      url: `${child.ready}/token`,
      mint: () => child.ask<string[]>({ count: CODES, challenge }),
    };
    return { ours, theirs };
  };
  const pairs = [await pairFor('RS256'), await pairFor('EdDSA')];

  // The first rounds warm both sides up and are thrown away.
  for (let round = -warmUps(3); round < ROUNDS; round++) {
    for (const { app, side, url, mint } of pairs.flatMap(({ ours, theirs }) => [ours, theirs])) {
      const bodies = (await mint()).map((code) =>
        exchangeForm(app, code, { code_verifier: verifier }).toString(),
      );
      const lanes = Array.from({ length: CONNECTIONS }, (_, lane) => ({
        url,
        method: 'POST' as const,
        headers: FORM_HEADERS,
        bodies: bodies.filter((_body, index) => index % CONNECTIONS === lane),
      }));
      await side.load(generator, { lanes, seconds: 60, awake: true }, round);
    }
  }
  await Promise.all([...children.map((child) => child.stop()), generator.stop()]);

  const [rsa, eddsa] = pairs.map(({ ours, theirs }) => pairedRatio(theirs.side.cpu, ours.side.cpu));
  return {
    title: 'Code exchange',
    how: `\`POST /oauth2/token\`, \`authorization_code\` with PKCE and a secret in the form: an id_token under the algorithm named and an access token under HS256 on both sides. Whoever makes it, an RSA signature takes ${figure(signatureMicros())} µs of processor time on this machine. ${CODES} codes in each of ${ROUNDS} interleaved rounds over ${CONNECTIONS} keep-alive connections with one request in flight each, medians; ratios are of processor time an exchange. The platform saves that a code was used, durably; oidc-provider has its rows in memory.`,
    table: {
      head: ['server', ...SIDE_HEAD, 'Symbolon is'],
      rows: pairs.flatMap(({ ours, theirs }) =>
        [ours, theirs].map(({ side }) => [
          ...side.row(),
          side === ours.side ? '' : `${figure(pairedRatio(side.cpu, ours.side.cpu))} ×`,
        ]),
      ),
    },
    bars: [
      atLeast('of oidc-provider with signed tokens, RS256', rsa ?? Number.NaN, 1.6),
      atLeast('of oidc-provider with signed tokens, EdDSA', eddsa ?? Number.NaN, 2.5),
    ],
  };
};

/** What no server can go below for an RS256 id_token. */
function signatureMicros(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const data = randomBytes(300);
  const before = process.cpuUsage();
  for (let n = 0; n < SIGNATURES; n++) sign('sha256', data, privateKey);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / SIGNATURES;
}

if (import.meta.main) await runAlone(codeExchange);
