import type { AuditAction } from '@symbolon/protocol';
import type { NameOwner } from '../../../access/unique-names.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Database, type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { LockKind } from '../../../db/lock-turns.ts';

/** What is stored of the authenticator app, with a person as with a login. */
export interface SecondFactorColumns {
  /** Under the server's key-encryption key; there while an enrolment is under way too. */
  totp_secret: string | null;
  totp_enabled_at: number | null;
  /** When an enrolment was begun that is not confirmed yet. */
  totp_begun_at: number | null;
  /** The time step of the last code that was taken: no code is taken twice (RFC 6238 5.2). */
  totp_last_step: number;
}

/** Of an account that has none. */
export const NO_SECOND_FACTOR: SecondFactorColumns = {
  totp_secret: null,
  totp_enabled_at: null,
  totp_begun_at: null,
  totp_last_step: 0,
};

/** What is read of an account in order to check a proof. */
export interface AccountRow extends SecondFactorColumns {
  readonly id: string;
  readonly email: string;
}

/** The columns by which the rows of an account are found. */
export type Owner = Readonly<Record<string, string>>;

/** The tables of one kind of accounts. Columns beside the owner's have the same names in both. */
export interface AccountTables {
  readonly accounts: 'persons' | 'portal_logins';
  readonly passkeys: 'person_passkeys' | 'login_passkeys';
  readonly recoveryCodes: 'person_recovery_codes' | 'two_factor_recovery_codes';
  readonly mailedCodes: 'person_codes' | 'login_codes';
  readonly tickets: 'person_sign_in_tickets' | 'sign_in_tickets';
}

/** A change of the factors of an account, by the account itself. */
export interface SecurityAct {
  readonly action: AuditAction;
  /** What was changed; the account itself unless said. */
  readonly target?: string;
  /** The caller's address. */
  readonly source: string;
  readonly details?: Readonly<Record<string, string>>;
}

/** Everything in which people and logins of the portal differ. */
export interface AccountKind<Row extends AccountRow = AccountRow> {
  readonly kind: AccountRef['kind'];
  readonly tables: AccountTables;
  /** Where its routes begin. */
  readonly paths: { readonly secondFactor: string; readonly passkeys: string; readonly email: string };
  /** Acts that give another way in: the login secret alone, which may be stolen, is not enough. */
  readonly strongActs: ReadonlySet<string>;
  refOf(row: Row): AccountRef;
  /** The account's own row, by its primary key in the order of its columns. */
  key(ref: AccountRef): Owner;
  /** The rows that belong to an account. */
  owner(ref: AccountRef): Owner;
  /** The account that a row with these columns belongs to. */
  ownerIn(row: Owner): AccountRef;
  /** What a transaction locks that changes an account. */
  lock(ref: AccountRef): { readonly table: Exclude<LockKind, 'queues'>; readonly id: string };
  /** With an address in the form in which it is stored. */
  byEmail(reader: Reader, email: string): Promise<Row | undefined>;
  /** Undefined for an account that is gone, or at home in another region. */
  find(reader: Reader, ref: AccountRef): Promise<Row | undefined>;
  /** The region where an account is at home, when it is known to be another. */
  homeElsewhere(ref: AccountRef): Promise<string | undefined>;
  /**
   * Checks the login secret; a wrong one counts as a failed sign-in.
   * @throws {PlatformError} account.key_invalid, auth.credentials_invalid, auth.throttled
   */
  prove(row: Row, loginSecret: string, source: string): Promise<Row>;
  /** Who has the address of the account, among all regions. */
  nameOwner(ref: AccountRef): NameOwner;
  /** Whether the account may not be without a second factor. */
  needsFactor(reader: Reader, ref: AccountRef): Promise<boolean>;
  /** Gives the account another address. @throws {PlatformError} account.email_taken */
  setEmail(writer: Writer, ref: AccountRef, email: string): Promise<void>;
  /** Deletes what a change of the factors makes worthless: sign-ins under way, mailed codes, trust in devices. */
  dropSideDoors(writer: Writer, ref: AccountRef): Promise<void>;
  /** Notes a change of the factors where the account has a log. */
  record(writer: Writer, row: Row, act: SecurityAct): Promise<void>;
}

/** @throws {PlatformError} auth.invalid for an account that is gone, or at home in another region */
export async function requireAccount<Row extends AccountRow>(
  kind: AccountKind<Row>,
  reader: Reader,
  ref: AccountRef,
): Promise<Row> {
  const row = await kind.find(reader, ref);
  if (row === undefined) throw new PlatformError('auth.invalid');
  return row;
}

/**
 * Keeps the last second factor of an account that needs one.
 * @param left whether the account has another one
 * @throws {PlatformError} account.second_factor_needed
 */
export async function requireFactor(
  kind: Pick<AccountKind, 'needsFactor'>,
  reader: Reader,
  ref: AccountRef,
  left: boolean,
): Promise<void> {
  if (!left && (await kind.needsFactor(reader, ref))) throw new PlatformError('account.second_factor_needed');
}

/** What a route may answer that takes a second factor away: an account of a company may need one. */
export const lastFactorErrors = (at: string) =>
  at.startsWith('/api/account/') ? (['account.second_factor_needed'] as const) : [];

/** Runs work in a transaction that has the account locked. */
export function writeToAccount<T>(
  database: Database,
  kind: Pick<AccountKind, 'lock'>,
  ref: AccountRef,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  const { table, id } = kind.lock(ref);
  return writeLocked(database, table, id, work);
}

/** The id of the person or login. */
export const idOf = (ref: AccountRef) => (ref.kind === 'person' ? ref.personId : ref.loginId);

/** Names an account in hashes and counts. */
export const nameOf = (ref: AccountRef) =>
  ref.kind === 'person' ? `person ${ref.personId}` : `portal ${ref.companyId} ${ref.loginId}`;
