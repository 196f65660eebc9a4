import { serve } from '@symbolon/server';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { END_SIGNALS, untilSignal } from '../terminal/until-signal.ts';
import { version } from '../version.ts';
import { collectAfterStart } from './collect-start.ts';
import { configAt } from './config-at.ts';
import { startProblem } from './start-problem.ts';

/** Does what the roles say until a signal ends it, then finishes the requests in hand. */
export async function servePlatform(
  environment: Readonly<Record<string, string | undefined>>,
  options: { host?: string; port?: string; data?: string },
): Promise<void> {
  const { host, port } = options;
  const variables = {
    ...environment,
    ...(host !== undefined && { SYMBOLON_HOST: host }),
    ...(port !== undefined && { SYMBOLON_PORT: port }),
  };
  const config = configAt(variables, options);
  // Before anything is opened: a signal during the start must not leave a half-started platform behind.
  const { signalled, forget } = untilSignal(
    config.tls === undefined ? END_SIGNALS : END_SIGNALS.filter((signal) => signal !== 'SIGHUP'),
  );
  // The files are read again at SIGHUP once the platform listens: one that comes before ends nothing.
  if (config.tls !== undefined) process.on('SIGHUP', () => {});
  const platform = await serve(config).catch((error) => {
    forget();
    throw startProblem(error, config);
  });
  const paint = createPaint(process.stdout);
  const storage = config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL';
  const listens = config.roles.has('region') || config.roles.has('front-door');
  const place = listens
    ? `serves on ${paint.name(platform.url)}  ${paint.dim(`data: ${storage}  explorer: ${platform.url}/explorer`)}`
    : `works for ${paint.name(config.region)}  ${paint.dim(`data: ${storage}`)}`;
  await writeLine(`${paint.bold('Symbolon')} ${version} ${place}`).catch(() => undefined);
  collectAfterStart();
  const signal = await signalled;
  await writeLine(paint.dim(`${signal}: finishing the requests in hand …`)).catch(() => undefined);
  await platform.stop();
  // What was given up may hold the process open: it ends a moment later whatever does.
  setTimeout(() => process.exit(), END_MS).unref();
}

const END_MS = 1_000;
