import { KeyBatch, KeyBatchRequest, PublicKey, ServicePublicKey } from '@symbolon/protocol';
import { Type } from 'typebox';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { Keys } from './keys.ts';

const Code = Type.String({ minLength: 1, maxLength: 64 });

export function keyRoutes(app: App, { keys }: { keys: Keys }): void {
  const route = routesOf(app, {
    tags: ['keys'],
    access: ['data_client', 'account_client', 'portal', 'person'],
    // Asking for many keys at once is a POST that reads.
    role: 'viewer',
    limit: 'reference',
  });

  route(
    'GET /api/keys/:shareCode',
    {
      errors: ['keys.not_found'],
      summary: 'Public key of a person or a company',
      federated: { by: 'share_code', missing: 'keys.not_found' },
      looksUp: 'keys.not_found',
      params: { shareCode: Code },
      ok: PublicKey,
    },
    (request) => keys.byShareCode(request.params.shareCode),
  );

  route(
    'GET /api/keys/:companyCode/:serviceCode',
    {
      errors: ['keys.not_found'],
      summary: 'Public key of a service',
      federated: { by: 'company_code' },
      looksUp: 'keys.not_found',
      params: { companyCode: Code, serviceCode: Code },
      ok: ServicePublicKey,
    },
    (request) => keys.ofService(request.params.companyCode, request.params.serviceCode),
  );

  route(
    'POST /api/keys/batch',
    {
      summary: 'Public keys by user ids',
      description: 'Unknown ids are missing from the answer; the id of a company gives its account key.',
      federated: { by: 'nothing' },
      body: KeyBatchRequest,
      ok: KeyBatch,
    },
    async (request) => ({ keys: await keys.batch(request.body.user_ids) }),
  );
}
