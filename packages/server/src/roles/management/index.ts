import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../core/config.ts';
import { ConfigError } from '../../core/config-error.ts';
import { diskOf } from '../../core/disk.ts';
import type { Instruments } from '../../core/instruments.ts';
import type { Readiness } from '../../core/probes.ts';
import { version } from '../../core/version.ts';
import { listenForProbes, type ManagementAnswer } from './listener.ts';
import { MetricsPage } from './metrics-page.ts';
import type { ProbedCore } from './probes.ts';

/** What probes look at; it is there once the process has its core and its domains. */
type Probed = ProbedCore & { readonly readiness: Readiness; readonly instruments: Instruments };

/** Answers probes from the start of a process to its end. */
export interface Management {
  /** Undefined: nothing listens. */
  readonly url: string | undefined;
  /** The process serves: from now on its checks say whether it is ready. */
  serves(core: Probed): void;
  /** From now on it is not ready. */
  stopping(): void;
  stop(): Promise<void>;
}

const none: Management = { url: undefined, serves() {}, stopping() {}, async stop() {} };

/** @throws what listening throws, unless the address is the usual one: many processes may be on one machine */
export async function openManagement(
  config: Config['management'],
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<Management> {
  const { address } = config;
  if (address === undefined) return none;
  let readiness: Readiness | undefined;
  let metrics: MetricsPage | undefined;
  let isStopping = false;
  const ready = async (): Promise<ManagementAnswer> => {
    if (isStopping) return { status: 503, body: { status: 'stopping' } };
    if (readiness === undefined) return { status: 503, body: { status: 'starting' } };
    const answer = await readiness.answer();
    return { status: answer.status === 'not_ready' ? 503 : 200, body: answer };
  };
  const pages = {
    // That it is answered is all there is to say: the event loop turns.
    '/livez': async () => ({ status: 200, body: { status: 'live' } }),
    '/readyz': ready,
    '/metrics': async () =>
      metrics === undefined
        ? { status: 503, body: { status: 'starting' } }
        : { status: 200, body: await metrics.read() },
  };
  try {
    const { url, stop } = await listenForProbes(address, pages);
    log.info({ url }, 'answering probes');
    return {
      url,
      serves(core) {
        readiness = core.readiness;
        showState(core);
        metrics = new MetricsPage(core.instruments);
      },
      stopping() {
        isStopping = true;
      },
      stop,
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!config.isUsual || code !== 'EADDRINUSE') throw managementError(error, address);
    const line =
      'another process answers at this address: set SYMBOLON_MANAGEMENT_ADDRESS to have probes answered';
    log.warn({ address: `${address.host}:${address.port}` }, line);
    return none;
  }
}

/** What probes find out, and what runs. */
function showState({ config, database, instruments, readiness }: Probed): void {
  const labels = { version, region: config.region, engine: database?.engine ?? 'none' };
  instruments.gauges(async (show) => {
    const { status, checks } = await readiness.answer();
    show('symbolon.ready', status === 'not_ready' ? 0 : 1, {});
    for (const [check, { state }] of Object.entries(checks))
      if (state !== 'unknown') show('symbolon.check', state === 'ok' ? 1 : 0, { check });
    show('symbolon.info', 1, labels);
    show('symbolon.disk.free', (await diskOf(config.dataDir)).free, {});
  });
}

/** Not mistaken for the port of the platform. */
function managementError(error: unknown, { host, port }: { host: string; port: number }): Error {
  const { code } = error as NodeJS.ErrnoException;
  return new ConfigError(
    `SYMBOLON_MANAGEMENT_ADDRESS names ${host}:${port}, where nothing can listen (${code}).`,
    { cause: error },
  );
}
