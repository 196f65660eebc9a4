import { KeyBatch, KeyBatchRequest, PublicKey, ServicePublicKey } from '@symbolon/protocol';
import { Type } from 'typebox';
import type { App } from '../../../http/app.ts';
import type { Keys } from './keys.ts';

const Code = Type.String({ minLength: 1, maxLength: 64 });
const config = {
  access: ['data_client', 'account_client', 'portal', 'person'],
  // Asking for many keys at once is a POST that reads.
  role: 'viewer',
  limit: 'reference',
} as const;
const tags = ['keys'];

export function keyRoutes(app: App, { keys }: { keys: Keys }): void {
  app.get(
    '/api/keys/:shareCode',
    {
      config: { ...config, federated: { by: 'share_code', missing: 'keys.not_found' } },
      schema: {
        tags,
        summary: 'Public key of a person or a company',
        params: Type.Object({ shareCode: Code }),
        response: { 200: PublicKey },
      },
    },
    async (request) => keys.byShareCode(request.params.shareCode),
  );

  app.get(
    '/api/keys/:companyCode/:serviceCode',
    {
      config: { ...config, federated: { by: 'company_code' } },
      schema: {
        tags,
        summary: 'Public key of a service',
        params: Type.Object({ companyCode: Code, serviceCode: Code }),
        response: { 200: ServicePublicKey },
      },
    },
    async (request) => keys.ofService(request.params.companyCode, request.params.serviceCode),
  );

  app.post(
    '/api/keys/batch',
    {
      config: { ...config, federated: { by: 'nothing' } },
      schema: {
        tags,
        summary: 'Public keys by user ids',
        description: 'Unknown ids are missing from the answer; the id of a company gives its account key.',
        body: KeyBatchRequest,
        response: { 200: KeyBatch },
      },
    },
    async (request) => ({ keys: await keys.batch(request.body.user_ids) }),
  );
}
