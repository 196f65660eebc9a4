import type { SignInThrottle } from '../../access/rate-limits.ts';
import type { HomesElsewhere } from '../../access/routing.ts';
import {
  type AccountPresence,
  type CodeMailLimits,
  type Credentials,
  type MailedTickets,
  MailLimits,
  type Notices,
  type RecoveryKey,
  type UniqueNames,
} from '../accounts/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Maintenance } from '../operations/index.ts';
import type { Endings } from '../participation.ts';
import type { Replication } from '../people/index.ts';
import { Delegates } from './delegates/delegates.ts';
import { delegateRoutes } from './delegates/routes.ts';
import { delegateTables } from './delegates/tables.ts';
import { loginKind } from './portal/account-kind.ts';
import { createPortal } from './portal/index.ts';
import type { PortalLoginRow } from './portal/tables.ts';

export type { ActProofs } from './portal/act-proofs.ts';
export { companyById, companyHome, companyHomes, renameCompany } from './portal/company-store.ts';
export type { Reauthentication } from './portal/reauthentication.ts';
export type { PortalPrincipal, Sessions } from './portal/sessions.ts';
export type { CompanyRow, PortalLoginRow } from './portal/tables.ts';

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
  const invitationLimits = new MailLimits(core.limitStore, {
    'invitation-address': 5,
    'invitation-company': 100,
  });
  const delegates = new Delegates({ ...core, ...needs, ...portal, invitationLimits });
  return {
    ...portal,
    fills: { loginKind: loginKind(needs.portalCredentials, needs.audit, needs.homesElsewhere) },
    domain: combine(portal.domain, {
      tables: delegateTables,
      routes: (app) => delegateRoutes(app, { ...core, delegates }),
    }),
  };
}
