import { registerCompany } from '@symbolon/testkit/actors/actors';
import { createApp, pkce, REDIRECT_URI } from '@symbolon/testkit/actors/sign-ins';
import { CHROMIUM } from '@symbolon/testkit/browser/chromium';
import { registerAt } from '@symbolon/testkit/browser/people';
import { baseAt, freePort, HOST } from '@symbolon/testkit/platform/address';
import { type Callable, PlatformAt } from '@symbolon/testkit/platform/calls';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildWeb } from '../scripts/build-web.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, warmUps } from './support/setting.ts';
import { median, quantile } from './support/stats.ts';

const ROUNDS = rounds(9);
const BUTTON = 'Sign in to Shop';
/** The bar. */
const USABLE_MOST_MS = 1000;
const SCRIPT_MOST_KB = 160;

/** A visit of the page, until its button can be pressed. */
interface Visit {
  readonly ms: number;
  /** Processor time of the page's main thread. */
  readonly cpuMs: number;
  /** Compressed. */
  readonly scriptBytes: number;
}

/** The consent page of a person who is signed in: with an empty cache, and again. */
export const consentPage: Benchmark = async () => {
  if (CHROMIUM === undefined) throw new Error('Chromium is not installed.');
  await buildWeb();
  await using folder = await dataFolder();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  await using _platform = await Platform.start(folder.path, {
    SYMBOLON_HOST: HOST,
    SYMBOLON_PORT: String(port),
    SYMBOLON_PUBLIC_URL: url,
    SYMBOLON_TRUST_PROXY: '',
  });
  // Only the browser finds it under its public name.
  const address = await consentAddress(new PlatformAt(baseAt(port)));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', `--host-resolver-rules=MAP localhost ${HOST}`],
  });
  const cold: Visit[] = [];
  const warm: Visit[] = [];
  try {
    const session = await signedIn(browser, url);
    // The first visits warm the platform up and are thrown away.
    for (let round = -warmUps(2); round < ROUNDS; round++) {
      const visitor = await browser.newContext({ baseURL: url, locale: 'en-GB', storageState: session });
      const page = await visitor.newPage();
      const first = await visit(page, address);
      const second = await visit(page, address);
      await visitor.close();
      if (round < 0) continue;
      cold.push(first);
      warm.push(second);
    }
  } finally {
    await browser.close();
  }
  const row = (name: string, visits: readonly Visit[]) => {
    const of = (what: keyof Visit) => visits.map((each) => each[what]);
    return [
      name,
      figure(median(of('ms'))),
      figure(quantile(of('ms'), 1)),
      figure(median(of('cpuMs'))),
      figure(median(of('scriptBytes')) / 1024),
    ];
  };
  return {
    title: 'Consent page',
    how: `From the start of the navigation until the button that decides is on the page, for a person who is signed in, in headless Chromium: with an empty cache in a context that is new, and again in the same tab. ${ROUNDS} rounds, medians. Browser and platform share the machine.`,
    table: {
      head: ['visit', 'usable after ms', 'worst ms', 'CPU ms of the main thread', 'scripts KB'],
      rows: [row('first', cold), row('again', warm)],
    },
    bars: [
      atMost('first visit', median(cold.map(({ ms }) => ms)), USABLE_MOST_MS, ' ms'),
      atMost('scripts', median(cold.map(({ scriptBytes }) => scriptBytes)) / 1024, SCRIPT_MOST_KB, ' KB'),
    ],
  };
};

async function consentAddress(platform: Callable): Promise<string> {
  const { clientId } = await createApp(platform, await registerCompany(platform));
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    mode: 'signin',
    response_mode: 'redirect',
    state: 'x',
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
  });
  return `/auth?${query}`;
}

/** The cookies of a person. */
async function signedIn(browser: Browser, url: string): ReturnType<BrowserContext['storageState']> {
  const visitor = await browser.newContext({ baseURL: url, locale: 'en-GB' });
  const page = await visitor.newPage();
  await registerAt(page, '/register?next=%2Fme%2Fsecurity', `bench-${crypto.randomUUID()}@example.org`);
  await page.getByRole('heading', { name: 'Security' }).waitFor();
  const state = await visitor.storageState();
  await visitor.close();
  return state;
}

async function visit(page: Page, address: string): Promise<Visit> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(address, { waitUntil: 'commit' });
  await page.getByRole('button', { name: BUTTON }).waitFor();
  const ms = await page.evaluate(() => performance.now());
  const { metrics } = await tools.send('Performance.getMetrics');
  await tools.detach();
  const scriptBytes = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  return {
    ms,
    cpuMs: (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000,
    scriptBytes,
  };
}

if (import.meta.main) await runAlone(consentPage);
