import type { SignInThrottle } from '../../../access/rate-limits.ts';
import type { UniqueNames } from '../../../access/unique-names.ts';
import type { Replication } from '../../../events/replication.ts';
import type {
  AccountPresence,
  CodeMailLimits,
  EmailChange,
  MailedTickets,
  Notices,
} from '../../accounts/index.ts';
import { type Credentials, Registration } from '../../accounts/index.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Audit, Maintenance } from '../../operations/index.ts';
import type { Endings } from '../../participation.ts';
import type { RecoveryKey } from '../recovery/recovery-key.ts';
import { AccountDeletion } from './account-deletion.ts';
import { ActProofs } from './act-proofs.ts';
import { CompanyRegistration } from './company-registration.ts';
import { LoginCodes } from './login-codes.ts';
import { LoginReset } from './login-reset.ts';
import { Logins } from './logins.ts';
import { OwnLogin } from './own-login.ts';
import { Portal } from './portal.ts';
import { Reauthentication } from './reauthentication.ts';
import { RecoveryKeyHolders } from './recovery-key.ts';
import { portalRoutes } from './routes.ts';
import { portalSecurityRoutes } from './security-routes.ts';
import { Sessions } from './sessions.ts';
import { SignInPolicies } from './sign-in-policy.ts';
import { type PortalLoginRow, portalTables } from './tables.ts';
import { TrustedDevices } from './trusted-devices.ts';

/** Companies in the portal: registering, signing in, the security of a login, deleting the company. */
export function createPortal(
  core: Core,
  needs: {
    throttle: SignInThrottle;
    codeMailLimits: CodeMailLimits;
    tickets: MailedTickets;
    notices: Notices;
    names: UniqueNames;
    replication: Replication;
    recoveryKey: RecoveryKey;
    audit: Audit;
    maintenance: Maintenance;
    portalCredentials: Credentials<PortalLoginRow>;
    loginPresence: AccountPresence<PortalLoginRow>;
    loginEmail: EmailChange<PortalLoginRow>;
    /** Read when a company is deleted. */
    endings: Endings;
  },
) {
  const { portalCredentials: credentials } = needs;
  const registration = new Registration(
    {
      ...needs,
      isTaken: (email) => credentials.isTaken(email),
      withoutCode: core.config.dangerouslyRegisterWithoutCode,
    },
    'portal',
  );
  const logins = new Logins(core);
  const reauthentication = new Reauthentication(needs);
  const sessions = new Sessions({ ...core, ...needs });
  const trustedDevices = new TrustedDevices({ ...core, ...needs });
  const loginCodes = new LoginCodes({ ...core, ...needs });
  const own = {
    ...core,
    ...needs,
    credentials,
    registration,
    logins,
    reauthentication,
    sessions,
    trustedDevices,
    loginCodes,
  };
  const portal = new Portal(own);
  const companyRegistration = new CompanyRegistration({
    ...own,
    portal,
    defaultLevel: core.config.defaultLevel,
  });
  const ownLogin = new OwnLogin(own);
  const loginReset = new LoginReset(own);
  const accountDeletion = new AccountDeletion(own);
  const actProofs = new ActProofs(own);
  const signInPolicies = new SignInPolicies(own);
  const recoveryKeyHolders = new RecoveryKeyHolders(own);
  const rules = { sessions, ownLogin, trustedDevices, accountDeletion, actProofs, signInPolicies };
  const domain: Domain = {
    tables: portalTables,
    routes(app) {
      portalRoutes(app, {
        ...core,
        ...needs,
        portal,
        companyRegistration,
        credentials,
        ownLogin,
        loginReset,
      });
      portalSecurityRoutes(app, { ...needs, ...rules, recoveryKeyHolders });
    },
    sweeps: [
      { name: 'sign-in state', run: (stopping) => portal.dropExpired(stopping) },
      { name: 'deleted companies', run: (stopping) => accountDeletion.run(stopping) },
    ],
  };
  return {
    logins,
    reauthentication,
    sessions,
    portal,
    actProofs,
    accountDeletion,
    domain,
  };
}
