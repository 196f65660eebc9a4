import { SealCertificateList } from '@symbolon/protocol';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { PublishedSeals } from './published-seals.ts';

export function sealRoutes(app: App, { seals }: { seals: PublishedSeals }): void {
  const route = routesOf(app, { tags: ['documents'], access: 'open', alwaysJson: true });

  route(
    'GET /api/seal/certificates',
    {
      summary: 'The certificates that seal documents, and the roots that verifiers trust',
      description: 'Of all regions. Both lists are empty where nothing has been sealed.',
      ok: SealCertificateList,
    },
    () => seals.published(),
  );
}
