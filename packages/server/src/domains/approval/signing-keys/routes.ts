import { RotateSigningKeysRequest, SigningKeyList } from '@symbolon/protocol';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { OperatorActs } from '../../operations/index.ts';
import type { SigningKeys } from './signing-keys.ts';

export function signingKeyRoutes(
  app: App,
  { signingKeys, acts }: { signingKeys: SigningKeys; acts: OperatorActs },
): void {
  const route = routesOf(app, { tags: ['operator'], access: ['operator'] });

  route(
    'GET /api/admin/signing-keys',
    { summary: 'The keys that sign id_tokens', ok: SigningKeyList },
    async () => ({ signing_keys: await signingKeys.list() }),
  );

  route(
    'POST /api/admin/signing-keys/rotate',
    {
      summary: 'Make the next keys that sign id_tokens',
      description:
        'They are published now and sign an hour later; the older ones stay published until their last tokens have expired. Compromised keys are replaced at once.',
      body: RotateSigningKeysRequest,
      ok: SigningKeyList,
    },
    async ({ body, ip }) => {
      const compromised = body.compromised === true;
      await signingKeys.rotate({
        compromised,
        alongside: (writer, kid) =>
          acts.record(writer, {
            act: 'signing_key.rotated',
            subject: kid,
            details: { compromised },
            source: ip,
          }),
      });
      return { signing_keys: await signingKeys.list() };
    },
  );
}
