import { RecoveryCopyList, RecoveryKeyView } from '@symbolon/protocol';
import { companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { RecoveryCopies } from './recovery.ts';

export function recoveryRoutes(app: App, { recovery }: { recovery: RecoveryCopies }): void {
  // A wrapped key allows offline password guessing, so only an admin can read it.
  const route = routesOf(app, { tags: ['account'], access: ['portal', 'account_client'], role: 'admin' });

  route(
    'GET /api/account/recovery-key',
    { summary: 'The wrapped recovery key', ok: RecoveryKeyView },
    (request) => recovery.key(companyOf(request)),
  );
  route(
    'GET /api/account/recovery-copies',
    { summary: 'Secrets sealed to the recovery key', ok: RecoveryCopyList },
    async (request) => ({ items: await recovery.list(companyOf(request)) }),
  );
}
