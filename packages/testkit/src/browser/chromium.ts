import type { Browser } from 'playwright-core';
import { findTool, without } from '../tools.ts';

/** The websocket address of the one Chromium that all test processes of a run share. */
export const BROWSER_VARIABLE = 'SYMBOLON_TEST_BROWSER';

/** The Chromium of this machine; undefined where none is installed. */
export const CHROMIUM = findTool('chromium', 'chromium-browser', 'google-chrome');

/** Why the tests cannot run, or false. `CI=true` makes a missing browser a failure. */
export const skip = CHROMIUM === undefined && without('chromium');

/** `SYMBOLON_TEST_HEADED=1` shows what the tests do. */
const options = () => ({
  ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
  headless: process.env.SYMBOLON_TEST_HEADED !== '1',
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
  const server = await chromium.launchServer({ ...options(), ...signals, host: '127.0.0.1' });
  return { url: server.wsEndpoint(), stop: () => server.close() };
}

/** The browser of the tests: that of the run, or else one of this process. `close` ends what was opened with it. */
export async function browser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const url = process.env[BROWSER_VARIABLE];
  return url === undefined ? chromium.launch(options()) : chromium.connect(url);
}
