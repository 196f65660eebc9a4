import type { SignInThrottle } from '../../access/rate-limits.ts';
import type { HomesElsewhere } from '../../access/routing.ts';
import type {
  AccountPresence,
  CodeMailLimits,
  Credentials,
  MailedTickets,
  Notices,
  RecoveryKey,
  UniqueNames,
} from '../accounts/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Maintenance } from '../operations/index.ts';
import type { Endings } from '../participation.ts';
import type { Replication } from '../people/index.ts';
import { createDelegates } from './delegates/index.ts';
import { createPortal, loginKind, type PortalLoginRow } from './portal/index.ts';

export {
  type ActProofs,
  type CompanyRow,
  companyById,
  companyHome,
  companyHomes,
  type PortalLoginRow,
  type PortalPrincipal,
  type Reauthentication,
  renameCompany,
  type Sessions,
} from './portal/index.ts';

/** Companies with the logins of their portal. */
export function createCompanies(
  core: Core,
  needs: {
    audit: Audit;
    maintenance: Maintenance;
    names: UniqueNames;
    replication: Replication;
    homesElsewhere: HomesElsewhere;
    throttle: SignInThrottle;
    portalCredentials: Credentials<PortalLoginRow>;
    loginPresence: AccountPresence<PortalLoginRow>;
    recoveryKey: RecoveryKey;
    tickets: MailedTickets;
    notices: Notices;
    codeMailLimits: CodeMailLimits;
    /** What other domains end with a company. */
    endings: Endings;
  },
) {
  const portal = createPortal(core, needs);
  const delegates = createDelegates(core, { ...needs, ...portal });
  return {
    ...portal,
    fills: { loginKind: loginKind(needs.portalCredentials, needs.audit, needs.homesElsewhere) },
    domain: combine(portal.domain, delegates),
  };
}
