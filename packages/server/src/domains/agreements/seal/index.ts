import type { Core, Domain } from '../../domain.ts';
import { SealCertificates } from './certificates.ts';
import { daysLeft } from './configured-certificate.ts';
import { ExpiryNotices } from './expiry-notices.ts';
import type { PublishedSeals, SealRouter } from './published-seals.ts';
import { sealRoutes } from './routes.ts';
import { Seals } from './seals.ts';
import { sealTables } from './tables.ts';

export { configuredCertificate, daysLeft } from './configured-certificate.ts';
export { localSeals, type PublishedSeals, type SealRouter } from './published-seals.ts';
export { sealRoutes } from './routes.ts';
export type { SealedPdf, Seals } from './seals.ts';

/** Seals documents with the platform's certificate. @throws {ConfigError} when the configured one cannot seal */
export function createSeal(core: Core, { routeSeals }: { routeSeals: SealRouter }) {
  const certificates = new SealCertificates(core);
  const seals = new Seals({ ...core, certificates });
  const notices = new ExpiryNotices(core);
  const { configured } = certificates;
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
    sweeps: [{ name: 'seal expiry', run: () => notices.run(configured) }],
    stop: () => seals.stop(),
  };
  return {
    seals,
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
