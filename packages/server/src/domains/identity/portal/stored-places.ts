import type { StoredPlace } from '../../../core/secrets.ts';
import type { LoginRef } from './login-store.ts';

/** The place of a company's account private key. */
export const accountKeyPlace = (companyId: string): StoredPlace => ({
  table: 'companies',
  column: 'account_private_key',
  id: companyId,
});

/** The place of a login's second-factor secret. */
export const totpSecretPlace = ({ companyId, loginId }: LoginRef): StoredPlace => ({
  table: 'portal_logins',
  column: 'totp_secret',
  id: [companyId, loginId],
});
