import type { Browser } from 'playwright-core';
import { findTool, without } from '../tools.ts';

/** The websocket address of the one Chromium that all test processes of a run share. */
export const BROWSER_VARIABLE = 'SYMBOLON_TEST_BROWSER';

/** `SYMBOLON_TEST_HEADED=1` shows what the tests do. */
const HEADLESS = process.env.SYMBOLON_TEST_HEADED !== '1';

/** The Chromium of this machine; undefined where none is installed. */
export const CHROMIUM = findTool('chromium', 'chromium-browser', 'google-chrome');
/** It makes no profile for each visitor, which takes a whole browser more than the pages do. It can show no notifications. */
const SHELL = HEADLESS ? findTool('chromium-headless-shell', 'chrome-headless-shell') : undefined;

/** Why the tests cannot run, or false. `CI=true` makes a missing browser a failure. */
export const skip = CHROMIUM === undefined && without('chromium');

const options = (program: string | undefined) => ({
  ...(program === undefined ? {} : { executablePath: program }),
  headless: HEADLESS,
  args: ['--no-sandbox', '--host-resolver-rules=MAP localhost 127.0.0.1', '--font-render-hinting=none'],
});

/**
 * Starts the Chromium of a run: its `url` goes to the tests in `SYMBOLON_TEST_BROWSER`. It ends with `stop`, with this
 * process, and also when this process is killed, because then its pipe breaks.
 * @returns undefined where none is installed
 */
export async function startBrowserServer(): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (CHROMIUM === undefined) return undefined;
  const { chromium } = await import('playwright-core');
  // Signals are the business of the process that starts it.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const server = await chromium.launchServer({
    ...options(SHELL ?? CHROMIUM),
    ...signals,
    host: '127.0.0.1',
  });
  return { url: server.wsEndpoint(), stop: () => server.close() };
}

/**
 * The browser of the tests: that of the run, or else one of this process. `close` ends what was opened with it.
 * @param whole with all that people's browsers have
 */
export async function browser({ whole = false } = {}): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const url = process.env[BROWSER_VARIABLE];
  if (url !== undefined && !(whole && SHELL !== undefined)) return chromium.connect(url);
  return chromium.launch(options(whole ? CHROMIUM : (SHELL ?? CHROMIUM)));
}
