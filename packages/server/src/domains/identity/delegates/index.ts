import type { Core, Domain } from '../../domain.ts';
import type { Audit } from '../../operations/index.ts';
import type { Logins, Portal } from '../portal/index.ts';
import type { UniqueNames } from '../ports.ts';
import { Delegates } from './delegates.ts';
import { InvitationLimits } from './invitation-limits.ts';
import { delegateRoutes } from './routes.ts';
import { delegateTables } from './tables.ts';

export function createDelegates(
  core: Core,
  needs: { logins: Logins; portal: Portal; names: UniqueNames; audit: Audit },
): Domain {
  const invitationLimits = new InvitationLimits(core.limitStore);
  const delegates = new Delegates({ ...core, ...needs, invitationLimits });
  return { tables: delegateTables, routes: (app) => delegateRoutes(app, { ...core, delegates }) };
}
