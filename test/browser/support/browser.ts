import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before } from 'node:test';
import {
  FakeClock,
  startPlatform,
  type TestEnvironment,
  type TestPlatform,
} from '@symbolon/testkit/platform/platform';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildWeb } from '../../../scripts/build-web.ts';
import { CHROMIUM } from './chromium.ts';

const PICTURES = join(import.meta.dirname, '../../../docs/pictures');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Whether the tests can run. `CI=true` makes a missing browser a failure. */
export const skip = CHROMIUM === undefined && process.env.CI !== 'true' ? 'Chromium is not installed' : false;

interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly phone?: boolean;
  readonly locale?: string;
  /** Cookies and the like of another visitor. */
  readonly storageState?: Awaited<ReturnType<BrowserContext['storageState']>>;
}

/** Pages show the time that is left, so the platform has the time of the browser. */
export class PresentClock extends FakeClock {
  override now(): number {
    return Date.now();
  }
}

/** A platform whose pages are opened in Chromium, by the name under which browsers give it keys. */
export class BrowserWorld {
  readonly platform: TestPlatform;
  readonly url: string;
  readonly #browser: Browser;
  readonly #problems: string[] = [];
  readonly #allowed = new Set<string>();

  /** @param url where the pages are, when that is not the platform */
  constructor(platform: TestPlatform, browser: Browser, url = platform.url) {
    this.platform = platform;
    this.url = url.replace('127.0.0.1', 'localhost');
    this.#browser = browser;
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
    context.setDefaultTimeout(15_000);
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

/** Starts a platform and a browser before the tests of a file, and stops them after. */
export function browserWorld(
  environment: TestEnvironment = {},
  insteadOf: Parameters<typeof startPlatform>[3] = {},
): () => BrowserWorld {
  let world: BrowserWorld | undefined;
  const stops: (() => Promise<unknown>)[] = [];
  before(async () => {
    if (skip) return;
    await buildWeb();
    const platform = await startPlatform('sqlite', environment, new PresentClock(), insteadOf);
    stops.push(() => platform.stop());
    const browser = await launched();
    stops.unshift(() => browser.close());
    world = new BrowserWorld(platform, browser);
    platform.context.address.publicUrl = world.url;
  });
  after(async () => {
    for (const stop of stops) await stop();
  });
  return () => world ?? assert.fail('The browser has not started.');
}

/** The browser of the tests. */
export function launched(): Promise<Browser> {
  return chromium.launch({
    ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
    args: ['--no-sandbox', '--host-resolver-rules=MAP localhost 127.0.0.1', '--font-render-hinting=none'],
  });
}

/** Checks a page as it is now: what axe finds by WCAG 2.2 AA, and that nothing is wider than the window. */
export async function checkPage(page: Page): Promise<void> {
  // As the tools of a browser do, which the page's policy does not bind.
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(node: unknown, options: object): Promise<AxeResults> };
    };
    const runOnly = {
      type: 'tag',
      values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    };
    const { violations } = await axe.run(document, { runOnly });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
  assert.deepEqual(violations, [], page.url());
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.ok(overflow <= 0, `${page.url()} is ${overflow} pixels too wide`);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('button span')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1 && clientWidth > 0)
      .map(({ textContent }) => textContent),
  );
  assert.deepEqual(cut, [], `${page.url()} has buttons whose text is cut`);
}

/** A picture of some size, drawn in the browser. */
export async function drawnPhoto(page: Page): Promise<Buffer> {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [800, 600];
    const context = canvas.getContext('2d');
    for (let x = 0; context && x < 800; x += 20) {
      context.fillStyle = `hsl(${x / 4} 60% 55%)`;
      context.fillRect(x, 0, 20, 600);
    }
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** Takes a picture for the docs; only when they are asked for, because fonts differ from machine to machine. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SYMBOLON_PICTURES !== 'true') return;
  mkdirSync(PICTURES, { recursive: true });
  // What was clicked last looks different under the mouse.
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled', fullPage: true });
}
