import type { CompanyLevel } from '@symbolon/protocol';
import type { LoginKeyColumns } from '../../../access/key-material.ts';
import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';
import type { SecondFactorColumns } from '../../accounts/index.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    companies: CompanyRow;
    portal_logins: PortalLoginRow;
    portal_sessions: PortalSessionRow;
    sign_in_tickets: SignInTicketRow;
    two_factor_recovery_codes: TwoFactorRecoveryCodeRow;
    trusted_devices: TrustedDeviceRow;
    login_codes: LoginCodeRow;
    act_proofs: ActProofRow;
    company_deletions: CompanyDeletionRow;
  }
}

export interface CompanyRow {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  code: string;
  account_public_key: string;
  account_public_key_sha256: string;
  /** PKCS#8, under the server's key-encryption key. */
  account_private_key: string;
  recovery_public_key: string;
  /** Empty. Of a company from before login secrets: JSON of wire 2.2's wrapped key, until its own login is reset. */
  recovery_private_key: string;
  level: CompanyLevel;
  created_at: number;
  /** The home region; null: here. Of a company at home elsewhere there is its card alone: name, code and account key. */
  region: string | null;
  /** Raised with every change of the card and every move: of two cards the higher counts. */
  card_version: number;
  /** Whether each login needs a second factor. */
  second_factor_required: Flag;
}

/**
 * Who signs in to a company's portal. The company's own login has the company's id. A login from before login secrets has no
 * keys and cannot sign in until it is reset by mail.
 */
export type PortalLoginRow = LoginColumns & {
  [Column in keyof LoginKeyColumns]: LoginKeyColumns[Column] | null;
};
/** A login that can sign in. */
export type ReadyLoginRow = LoginColumns & LoginKeyColumns;

interface LoginColumns extends SecondFactorColumns {
  company_id: string;
  id: string;
  /** Lower case; one login has it. */
  email: string;
  name: string;
  role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner';
  created_at: number;
}

export interface PortalSessionRow {
  company_id: string;
  login_id: string;
  id: string;
  token_hash: string;
  transport: 'token' | 'cookie';
  user_agent: string;
  /** With what it was opened beside the password, or in its place. */
  factor: 'code' | 'passkey' | null;
  created_at: number;
  /** To the minute. */
  last_seen_at: number;
  expires_at: number;
}

/** A sign-in whose password was right and whose second factor is awaited. */
export interface SignInTicketRow {
  company_id: string;
  login_id: string;
  token_hash: string;
  transport: 'token' | 'cookie';
  attempts: number;
  expires_at: number;
}

export interface TwoFactorRecoveryCodeRow {
  company_id: string;
  login_id: string;
  code_hash: string;
}

/** A device on which a login's second factor is not asked for. */
export interface TrustedDeviceRow {
  company_id: string;
  login_id: string;
  id: string;
  token_hash: string;
  user_agent: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
}

/** A code that was mailed to confirm an act of a login. */
export interface LoginCodeRow {
  company_id: string;
  login_id: string;
  purpose: 'email' | 'deletion' | 'presence';
  code_hash: string;
  /** What is being confirmed: the new address, or the act. */
  subject: string;
  attempts: number;
  expires_at: number;
}

/** A proof of presence that one request of a session may send along. */
export interface ActProofRow {
  company_id: string;
  login_id: string;
  session_id: string;
  token_hash: string;
  /** Method and path of the request. */
  act: string;
  expires_at: number;
}

/** A company that is to be deleted; goes with the last of its rows. */
export interface CompanyDeletionRow {
  company_id: string;
  /** Address that is notified of the end. */
  email: string;
  confirmed_at: number;
  due_at: number;
}

export const portalTables = defineTables({
  companies: {
    key: ['id'],
    belongsTo: { companies: 'id' },
    move: { notCompared: ['region', 'card_version'] },
    encrypted: ['account_private_key'],
    writtenBy: ['operator', 'regions'],
    readBy: [
      'agreements',
      'approval',
      'clients',
      'conversation',
      'delivery',
      'flows',
      'operations',
      'plugins',
      'profile',
      'services',
      'sharing',
    ],
  },
  portal_logins: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    move: {},
    encrypted: ['totp_secret'],
    hashed: ['recovery_hash'],
    readBy: ['conversation', 'regions'],
  },
  portal_sessions: {
    key: ['company_id', 'login_id', 'id'],
    hashed: ['token_hash'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: {},
    readBy: ['regions'],
  },
  sign_in_tickets: {
    key: ['token_hash'],
    hashed: ['token_hash'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: {},
  },
  two_factor_recovery_codes: {
    key: ['company_id', 'login_id', 'code_hash'],
    hashed: ['code_hash'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: {},
  },
  trusted_devices: {
    key: ['company_id', 'login_id', 'id'],
    hashed: ['token_hash'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: {},
  },
  login_codes: {
    key: ['company_id', 'login_id', 'purpose'],
    hashed: ['code_hash'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: {},
  },
  act_proofs: {
    key: ['company_id', 'login_id', 'token_hash'],
    hashed: ['token_hash'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: {},
  },
  company_deletions: {
    key: ['company_id'],
    belongsTo: { companies: 'company_id' },
    move: {},
    readBy: ['regions'],
  },
});
