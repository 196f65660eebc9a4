import { PdfRunner } from '@symbolon/pdf/runner';
import { callerSignal } from '../../../core/deadline.ts';
import type { Core, Domain } from '../../domain.ts';
import { SealCertificates } from './certificates.ts';
import { configuredCertificate, daysLeft } from './configured-certificate.ts';
import { ExpiryNotices } from './expiry-notices.ts';
import type { PublishedSeals, SealRouter } from './published-seals.ts';
import { sealRoutes } from './routes.ts';
import { Seals } from './seals.ts';
import { sealTables } from './tables.ts';
import { Templates } from './templates.ts';

/** A trial seal asks the timestamp authority, which may count its answers. */
const TRIAL_MS = 60 * 60_000;
const RETRY_MS = 60_000;

/** Seals documents with the platform's certificate. @throws {ConfigError} when the configured one cannot seal */
export async function createSeal(core: Core, { routeSeals }: { routeSeals: SealRouter }) {
  const configured = await configuredCertificate(core.config.seal, core.clock.now());
  const certificates = new SealCertificates(core, configured);
  const { processes, deadlineMs, memoryBytes } = core.config.seal;
  // Files are read in child processes with limits, so that none harms or holds up the platform.
  const runner = new PdfRunner({
    ...{ processes, deadline: deadlineMs, memory: memoryBytes },
    signalOf: callerSignal,
  });
  const seals = new Seals({ ...core, certificates, runner });
  const notices = new ExpiryNotices(core);
  core.instruments.gauges((show) => {
    for (const [lane, files] of Object.entries(runner.waiting))
      show('symbolon.seal.waiting', files, { lane });
  });
  if (configured !== undefined) core.instruments.certificate('seal', () => configured.expiresAt);
  const domain: Domain = {
    tables: sealTables,
    routes: (app) => sealRoutes(app, { seals: routeSeals(certificates) }),
    workers: [
      {
        role: 'region',
        start() {
          void seals.probe();
        },
        async stop() {},
      },
    ],
    probes:
      configured === undefined
        ? []
        : [{ name: 'seal', freshMs: TRIAL_MS, retryMs: RETRY_MS, check: () => seals.trial() }],
    sweeps: [{ name: 'seal expiry', run: () => notices.run(configured) }],
    stop: () => runner.stop(),
  };
  return {
    seals,
    templates: new Templates({ runner, processes }),
    /** Those of this region. */
    publishedSeals: certificates as PublishedSeals,
    /** What health says of the certificate; undefined while there is nothing to do. */
    sealHealth: () =>
      configured !== undefined && notices.isDue(configured)
        ? { days_left: daysLeft(configured, core.clock.now()) }
        : undefined,
    domain,
  };
}
