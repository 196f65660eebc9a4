import type { SignInThrottle } from '../../../access/rate-limits.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Audit, Maintenance } from '../../operations/index.ts';
import type { CodeMailLimits } from '../mailed-codes/index.ts';
import type { CompanyPart, Replication, UniqueNames } from '../ports.ts';
import type { RecoveryCopies } from '../recovery/index.ts';
import { AccountDeletion } from './account-deletion.ts';
import { LoginCodes } from './login-codes.ts';
import { Logins } from './logins.ts';
import { OwnLogin } from './own-login.ts';
import { Portal } from './portal.ts';
import { Reauthentication } from './reauthentication.ts';
import { portalRoutes } from './routes.ts';
import { SecondFactor } from './second-factor.ts';
import { portalSecurityRoutes } from './security-routes.ts';
import { Sessions } from './sessions.ts';
import { portalTables } from './tables.ts';
import { TrustedDevices } from './trusted-devices.ts';

export { companyById, companyHome, companyHomes, renameCompany } from './company-store.ts';
export { deleteLogin, loginByEmail, loginById, loginsOf, updateLogin } from './login-store.ts';
export type { Logins } from './logins.ts';
export type { OpenedSession, Origin, Portal } from './portal.ts';
export type { Reauthentication } from './reauthentication.ts';
export { originOf, sessionAnswer } from './session-answer.ts';
export type { PortalPrincipal, Sessions } from './sessions.ts';
export type { CompanyRow, PortalLoginRow } from './tables.ts';

/** Companies in the portal: registering, signing in, the security of a login, deleting the company. */
export function createPortal(
  core: Core,
  needs: {
    throttle: SignInThrottle;
    codeMailLimits: CodeMailLimits;
    names: UniqueNames;
    replication: Replication;
    recovery: RecoveryCopies;
    audit: Audit;
    maintenance: Maintenance;
    /** Read when a company is deleted. */
    parts: readonly CompanyPart[];
  },
) {
  const logins = new Logins(core);
  const reauthentication = new Reauthentication({ ...core, ...needs });
  const sessions = new Sessions({ ...core, ...needs });
  const trustedDevices = new TrustedDevices({ ...core, ...needs });
  const loginCodes = new LoginCodes({ ...core, ...needs });
  const own = { ...core, ...needs, logins, reauthentication, sessions, trustedDevices, loginCodes };
  const portal = new Portal({ ...own, defaultLevel: core.config.defaultLevel });
  const ownLogin = new OwnLogin(own);
  const secondFactor = new SecondFactor(own);
  const accountDeletion = new AccountDeletion(own);
  const domain: Domain = {
    tables: portalTables,
    routes(app) {
      portalRoutes(app, { ...core, portal });
      portalSecurityRoutes(app, { sessions, ownLogin, secondFactor, trustedDevices, accountDeletion });
    },
    sweeps: [
      { name: 'sign-in state', run: () => portal.dropExpired() },
      { name: 'deleted companies', run: (stopping) => accountDeletion.run(stopping) },
    ],
  };
  return { logins, reauthentication, sessions, portal, accountDeletion, domain };
}
