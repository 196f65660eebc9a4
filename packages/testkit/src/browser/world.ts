import assert from 'node:assert/strict';
import { after, before, test as nodeTest, type TestContext } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { buildWeb } from '../../../../scripts/build-web.ts';
import { PAGE_MOST_MS } from '../limits.ts';
import { RUN_FOLDER_VARIABLE } from '../platform/made-once.ts';
import {
  PresentClock,
  startPlatform,
  type TestEnvironment,
  type TestPlatform,
} from '../platform/platform.ts';
import { browser, skip } from './chromium.ts';
import { watchFocus } from './lost-focus.ts';

export { skip } from './chromium.ts';

/** How long a page has to say what it shows, once its test has failed. */
const SHOWN_MOST_MS = 2_000;

interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly phone?: boolean;
  readonly locale?: string;
  /** Cookies and the like of another visitor. */
  readonly storageState?: Awaited<ReturnType<BrowserContext['storageState']>>;
}

/** Opens a page of a new visitor with nothing kept, who leaves at the end of the test. */
export type Visit = (look?: Look) => Promise<Page>;

/** What the pages of a file of tests are opened on. */
interface Served {
  readonly platform: TestPlatform;
  /** Where the pages are, when that is not the platform. */
  readonly url?: string;
  stop(): Promise<unknown>;
}

/** A platform with the time of the browser: pages show the time that is left. */
export async function servePages(
  environment: TestEnvironment = {},
  insteadOf: Parameters<typeof startPlatform>[3] = {},
): Promise<Served> {
  const platform = await startPlatform('sqlite', environment, new PresentClock(), insteadOf);
  return { platform, stop: () => platform.stop() };
}

/** A platform whose pages are opened in Chromium, by the name under which browsers give it keys. */
class BrowserWorld {
  readonly platform: TestPlatform;
  readonly url: string;
  readonly #browser: Browser;
  readonly #problems: string[] = [];
  readonly #allowed = new Set<string>();

  constructor({ platform, url }: Served, browser: Browser) {
    this.platform = platform;
    this.url = (url ?? platform.url).replace('127.0.0.1', 'localhost');
    this.#browser = browser;
    if (url === undefined) platform.context.address.publicUrl = this.url;
  }

  /**
   * A new visitor with nothing kept. What the page should never do is noted: errors in the console, uncaught errors,
   * requests to another origin.
   */
  async visitor({
    colorScheme = 'light',
    phone = false,
    locale = 'en-GB',
    storageState,
  }: Look = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      baseURL: this.url,
      colorScheme,
      locale,
      reducedMotion: 'reduce',
      viewport: phone ? { width: 390, height: 844 } : { width: 1200, height: 860 },
      deviceScaleFactor: 1,
      hasTouch: phone,
      ...(storageState && { storageState }),
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(PAGE_MOST_MS);
    await context.addInitScript(watchFocus);
    context.on('console', (message) => {
      // The browser writes a line for every answer that is an error, also for those that the page expects.
      const isAnswer = message.text().startsWith('Failed to load resource: the server responded');
      if (message.type() === 'error' && !isAnswer) this.#problems.push(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => this.#problems.push(`uncaught: ${error.error().message}`));
    context.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      const isOwn = ['data:', 'blob:'].includes(protocol) || origin === this.url;
      // Going there is one thing; a request of the page itself is another.
      if (!isOwn && !(request.isNavigationRequest() && this.#allowed.has(origin)))
        this.#problems.push(`request to ${origin}`);
    });
    return context;
  }

  /** Lets the pages go to another site: one that sent the person here. */
  allow(origin: string): void {
    this.#allowed.add(origin);
  }

  /** @returns what the pages did that they should not, since the last call */
  problems(): string[] {
    return this.#problems.splice(0);
  }
}

/**
 * The tests of a file that look at pages. What they are served by starts before the first of them and stops after the last; a
 * test fails when its pages did what pages should not.
 */
export function browserTests(
  serve: () => Promise<Served> = servePages,
  which: Parameters<typeof browser>[0] = {},
) {
  let world: BrowserWorld | undefined;
  const stops: (() => Promise<unknown>)[] = [];
  before(async () => {
    if (skip) return;
    // The runner has built the pages for all files of its run.
    if (process.env[RUN_FOLDER_VARIABLE] === undefined) await buildWeb();
    const served = await serve();
    stops.unshift(() => served.stop());
    const opened = await browser(which);
    stops.unshift(() => opened.close());
    world = new BrowserWorld(served, opened);
  });
  after(async () => {
    for (const stop of stops) await stop();
  });
  const theWorld = () => world ?? assert.fail('The browser has not started.');
  const test = (title: string, act: (visit: Visit, t: TestContext) => Promise<void>) =>
    nodeTest(title, async (t) => {
      theWorld().problems();
      await using visitors = new AsyncDisposableStack();
      const opened: BrowserContext[] = [];
      const visit: Visit = async (look) => {
        const visitor = await theWorld().visitor(look);
        visitors.defer(() => visitor.close());
        opened.push(visitor);
        return visitor.newPage();
      };
      try {
        await act(visit, t);
      } catch (error) {
        for (const page of opened.flatMap((visitor) => visitor.pages())) t.diagnostic(await shownBy(page));
        for (const problem of theWorld().problems()) t.diagnostic(problem);
        throw error;
      }
      assert.deepEqual(theWorld().problems(), []);
    });
  return { world: theWorld, test };
}

/** What a page showed when its test failed. */
async function shownBy(page: Page): Promise<string> {
  const text = page.locator('body').innerText({ timeout: SHOWN_MOST_MS });
  return `${page.url()} shows: ${await text.catch((error: Error) => error.message)}`;
}
