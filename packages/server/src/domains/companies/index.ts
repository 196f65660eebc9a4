import type { SignInThrottle } from '../../access/rate-limits.ts';
import type { HomesElsewhere } from '../../access/routing.ts';
import type { UniqueNames } from '../../access/unique-names.ts';
import type { Replication } from '../../events/replication.ts';
import {
  type AccountPresence,
  type CodeMailLimits,
  type Credentials,
  type EmailChange,
  type MailedTickets,
  MailLimits,
  type Notices,
} from '../accounts/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Audit, Maintenance } from '../operations/index.ts';
import type { Endings } from '../participation.ts';
import { Delegates } from './delegates/delegates.ts';
import { delegateRoutes } from './delegates/routes.ts';
import { delegateTables } from './delegates/tables.ts';
import { loginKind } from './portal/account-kind.ts';
import { createPortal } from './portal/index.ts';
import type { PortalLoginRow } from './portal/tables.ts';
import { RecoveryCopies } from './recovery/recovery.ts';
import { RecoveryKey } from './recovery/recovery-key.ts';
import { recoveryRoutes } from './recovery/routes.ts';
import { recoveryTables } from './recovery/tables.ts';

export type { ActProofs } from './portal/act-proofs.ts';
export { companyById, companyHome, companyHomes, renameCompany } from './portal/company-store.ts';
export type { Reauthentication } from './portal/reauthentication.ts';
export type { PortalPrincipal, Sessions } from './portal/sessions.ts';
export type { CompanyRow, PortalLoginRow } from './portal/tables.ts';
export type { RecoveryCopies } from './recovery/recovery.ts';

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
    loginEmail: EmailChange<PortalLoginRow>;
    tickets: MailedTickets;
    notices: Notices;
    codeMailLimits: CodeMailLimits;
    /** What other domains end with a company. */
    endings: Endings;
  },
) {
  const recoveryKey = new RecoveryKey(core);
  const recovery = new RecoveryCopies({ ...core, recoveryKey });
  const portal = createPortal(core, { ...needs, recoveryKey });
  const invitationLimits = new MailLimits(core.limitStore, {
    'invitation-address': 5,
    'invitation-company': 100,
  });
  const delegates = new Delegates({ ...core, ...needs, ...portal, recoveryKey, invitationLimits });
  return {
    ...portal,
    recovery,
    recoveryKey,
    fills: {
      loginKind: loginKind(needs.portalCredentials, needs.audit, needs.homesElsewhere, portal.logins),
    },
    domain: combine(
      { tables: recoveryTables, routes: (app) => recoveryRoutes(app, { recovery, recoveryKey }) },
      portal.domain,
      { tables: delegateTables, routes: (app) => delegateRoutes(app, { ...core, delegates }) },
    ),
  };
}
