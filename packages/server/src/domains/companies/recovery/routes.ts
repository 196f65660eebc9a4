import { RecoveryCopyList, RecoveryKeyView } from '@symbolon/protocol';
import { companyOf } from '../../../access/callers.ts';
import type { App } from '../../../http/app.ts';
import { routesOf } from '../../../http/routes.ts';
import type { RecoveryCopies } from './recovery.ts';
import type { RecoveryKey } from './recovery-key.ts';

export function recoveryRoutes(
  app: App,
  { recovery, recoveryKey }: { recovery: RecoveryCopies; recoveryKey: RecoveryKey },
): void {
  const route = routesOf(app, { tags: ['account'], access: ['portal', 'account_client'] });

  route(
    'GET /api/account/recovery-key',
    {
      summary: 'The recovery key',
      description: 'Compare the fingerprint with one that you keep before you seal anything to it.',
      role: 'developer',
      ok: RecoveryKeyView,
    },
    (request) => recoveryKey.publicHalf(companyOf(request)),
  );
  route(
    'GET /api/account/recovery-copies',
    { summary: 'Secrets sealed to the recovery key', role: 'admin', ok: RecoveryCopyList },
    async (request) => ({ items: await recovery.list(companyOf(request)) }),
  );
}
