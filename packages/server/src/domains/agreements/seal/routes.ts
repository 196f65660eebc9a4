import { SealCertificateList } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { SealCertificates } from './certificates.ts';
import { fingerprintOf } from './configured-certificate.ts';

export function sealRoutes(app: App, { certificates }: { certificates: SealCertificates }): void {
  const route = routesOf(app, { tags: ['documents'], access: 'open', alwaysJson: true });

  route(
    'GET /api/seal/certificates',
    {
      summary: 'The certificate that seals documents, and the roots that verifiers trust',
      description: 'No certificate and no roots where this platform has sealed nothing.',
      ok: SealCertificateList,
    },
    async () => {
      const known = await certificates.known();
      if (known === undefined) return { certificate: null, roots: [] };
      const { name, issuer, sha256, expiresAt, isDevelopment, roots } = known;
      return {
        certificate: { name, issuer, sha256, expires_at: isoTime(expiresAt), development: isDevelopment },
        roots: roots.map((root) => ({ sha256: fingerprintOf(root), pem: root.toString() })),
      };
    },
  );
}
