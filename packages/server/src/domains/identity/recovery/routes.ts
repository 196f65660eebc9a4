import { RecoveryCopyList, RecoveryKeyView } from '@symbolon/protocol';
import { companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import type { RecoveryCopies } from './recovery.ts';

// Whoever has the wrapped key can try passwords on it for as long as they like, so not everybody who may read gets it.
const config = { access: ['portal', 'account_client'], role: 'admin' } as const;

export function recoveryRoutes(app: App, { recovery }: { recovery: RecoveryCopies }): void {
  app.get(
    '/api/account/recovery-key',
    {
      config,
      schema: { tags: ['account'], summary: 'The wrapped recovery key', response: { 200: RecoveryKeyView } },
    },
    async (request) => recovery.key(companyOf(request)),
  );
  app.get(
    '/api/account/recovery-copies',
    {
      config,
      schema: {
        tags: ['account'],
        summary: 'Secrets sealed to the recovery key',
        response: { 200: RecoveryCopyList },
      },
    },
    async (request) => ({ items: await recovery.list(companyOf(request)) }),
  );
}
