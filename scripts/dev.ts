/**
 * The platform and its pages, for those who change them: `npm run dev [-- --fresh --inspect]`. One address serves both. The
 * platform starts again when one of its sources changes; a page takes its changes while it is open. With `--fresh` the data
 * lies in a folder that goes at the end, and with `--inspect` a debugger may come to the platform. Variables of the platform
 * work as with `npm start`.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@symbolon/server';
import { servePages } from './dev/pages.ts';
import { passOn } from './dev/pass-on.ts';
import { startPlatform } from './dev/platform.ts';
import { parsedArguments } from './usage.ts';

const SAME_SIGNAL_MS = 500;

const { values: asked } = parsedArguments('npm run dev [-- --fresh] [--inspect]', {
  options: { fresh: { type: 'boolean' }, inspect: { type: 'boolean' } },
});
const fresh = asked.fresh ? mkdtempSync(join(tmpdir(), 'symbolon-dev-')) : undefined;
process.once('exit', () => fresh !== undefined && rmSync(fresh, { recursive: true, force: true }));
const signalled = firstSignal();

const environment: NodeJS.ProcessEnv = {
  SYMBOLON_LOG_LEVEL: 'warn',
  SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
  ...process.env,
  ...(fresh !== undefined && { SYMBOLON_DATA_DIR: fresh }),
};
const config = readConfig(environment);
const server = createServer();
server.listen(config.port, config.host);
await once(server, 'listening');
// Browsers give keys and passkeys to the name, not to the numbers.
const publicUrl = config.publicUrl ?? `http://localhost:${(server.address() as AddressInfo).port}`;

const pages = await servePages({ server, publicUrl, config });
const platform = await startPlatform({ ...environment, SYMBOLON_PUBLIC_URL: publicUrl }, asked.inspect);
server.on('request', (asked, answer) => {
  pages.answer(asked, answer, () => void passOn(asked, answer, platform.port));
});
const mails = config.smtpUrl === undefined ? join(config.dataDir, 'outbox') : 'sent by SMTP';
console.log(`Pages     ${publicUrl}/register for people, ${publicUrl}/portal for companies
API       ${publicUrl}/explorer
Mails     ${mails}
Ctrl-C ends it.`);

await signalled;
await platform.stop();
await pages.stop();
server.close();
server.closeAllConnections();

/** npm passes on the signal that the terminal has sent to all; one that comes later ends everything at once. */
function firstSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let first: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      first ??= performance.now();
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(1);
      resolve();
    });
  }
  return promise;
}
