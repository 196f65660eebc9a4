import { MailLimits } from '../../accounts/index.ts';
import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { Delegates } from './delegates.ts';
import { delegateRoutes } from './routes.ts';
import { delegateTables } from './tables.ts';

export function createDelegates(
  core: Core,
  needs: Omit<NeedsOf<typeof Delegates>, 'invitationLimits'>,
): Domain {
  const invitationLimits = new MailLimits(core.limitStore, {
    'invitation-address': 5,
    'invitation-company': 100,
  });
  const delegates = new Delegates({ ...core, ...needs, invitationLimits });
  return { tables: delegateTables, routes: (app) => delegateRoutes(app, { ...core, delegates }) };
}
