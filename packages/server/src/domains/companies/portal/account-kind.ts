import { checkKeyMaterial } from '../../../access/key-material.ts';
import type { HomesElsewhere } from '../../../access/routing.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import type { AccountKind, Credentials } from '../../accounts/index.ts';
import type { Audit } from '../../operations/index.ts';
import { requiresSecondFactor } from './company-store.ts';
import { deleteSideDoors, type LoginRef, loginByEmail, loginById } from './login-store.ts';
import type { Logins } from './logins.ts';
import type { PortalLoginRow } from './tables.ts';

/** Logins of the portal, as they prove to be present. */
export function loginKind(
  credentials: Credentials<PortalLoginRow>,
  audit: Audit,
  homes: HomesElsewhere,
  logins: Logins,
): AccountKind<PortalLoginRow> {
  return {
    kind: 'portal',
    tables: {
      accounts: 'portal_logins',
      passkeys: 'login_passkeys',
      recoveryCodes: 'two_factor_recovery_codes',
      mailedCodes: 'login_codes',
      tickets: 'sign_in_tickets',
    },
    paths: {
      secondFactor: '/api/account/2fa',
      passkeys: '/api/account/passkeys',
      email: '/api/account/email',
    },
    // Codes are mailed to the address.
    strongActs: new Set([
      'POST /api/account/passkeys/options',
      'POST /api/account/2fa/enrol',
      'POST /api/account/email',
    ]),
    refOf: (row) => ({ kind: 'portal', companyId: row.company_id, loginId: row.id }),
    key(ref) {
      const { companyId, loginId } = refOf(ref);
      return { company_id: companyId, id: loginId };
    },
    owner(ref) {
      const { companyId, loginId } = refOf(ref);
      return { company_id: companyId, login_id: loginId };
    },
    ownerIn: ({ company_id: companyId = '', login_id: loginId = '' }) => ({
      kind: 'portal',
      companyId,
      loginId,
    }),
    lock: (ref) => ({ table: 'companies', id: refOf(ref).companyId }),
    byEmail: loginByEmail,
    find: (reader, ref) => loginById(reader, refOf(ref)),
    homeElsewhere: (ref) => homes.ofCompany(refOf(ref).companyId),
    async prove(row, loginSecret, source) {
      await checkKeyMaterial({ secrets: [loginSecret] });
      return credentials.prove(row.email, loginSecret, source, async () => row);
    },
    nameOwner: (ref) => ({ kind: 'company', id: refOf(ref).companyId }),
    needsFactor: (reader, ref) => requiresSecondFactor(reader, refOf(ref).companyId),
    setEmail: (writer, ref, email) => logins.setEmail(writer, refOf(ref), email),
    dropSideDoors: (writer, ref) => deleteSideDoors(writer, refOf(ref)),
    record: (writer, row, { action, target = row.id, source, details }) =>
      audit.record(writer, {
        companyId: row.company_id,
        actor: { kind: 'portal', id: row.id, name: row.email, source },
        action,
        target,
        ...(details && { details }),
      }),
  };
}

function refOf(ref: AccountRef): LoginRef {
  if (ref.kind !== 'portal') throw new Error('This is no login of the portal.');
  return ref;
}
