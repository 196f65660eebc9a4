import type { StoredPlace } from '../../../core/secrets.ts';

/** The place of a company's account private key. */
export const accountKeyPlace = (companyId: string): StoredPlace => ({
  table: 'companies',
  column: 'account_private_key',
  id: companyId,
});
