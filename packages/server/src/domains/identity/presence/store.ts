import type { Reader, Writer } from '../../../db/database.ts';
import { count, isDeleted, isInserted, isUpdated } from '../../../db/rows.ts';
import type { Tables } from '../../../db/tables.ts';
import type { AccountKind, AccountRef, AccountTables, Owner, SecondFactorColumns } from './account.ts';
import type { LoginPasskeyRow, PasskeyColumns, UsedNonceRow } from './tables.ts';

/*
 * Queries on the tables of people and of logins alike. They are typed with one of the two: they use only columns that both
 * have, and those that name the owner.
 */

type Kind = Pick<AccountKind, 'tables' | 'key' | 'owner'>;

const passkeyTable = ({ tables }: Kind) => tables.passkeys as 'login_passkeys';
const codeTable = ({ tables }: Kind) => tables.recoveryCodes as 'two_factor_recovery_codes';
const ticketTable = ({ tables }: Kind) => tables.tickets as 'sign_in_tickets';
const accountTable = ({ tables }: Kind) => tables.accounts as 'portal_logins';
const ownerOf = (kind: Kind, ref: AccountRef) =>
  kind.owner(ref) as Owner & { company_id: string; login_id: string };
const keyOf = (kind: Kind, ref: AccountRef) => kind.key(ref) as Owner & { company_id: string; id: string };

/** False when it was used before. */
export function insertUsedNonce(writer: Writer, row: UsedNonceRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('used_nonces')
      .values(row)
      .onConflict((conflict) => conflict.column('nonce').doNothing()),
  );
}

/** The passkeys of an account, the oldest first. */
export async function passkeysOf(reader: Reader, kind: Kind, ref: AccountRef): Promise<PasskeyColumns[]> {
  return reader
    .selectFrom(passkeyTable(kind))
    .selectAll()
    .where((eb) => eb.and(ownerOf(kind, ref)))
    .orderBy('id')
    .execute();
}

/** The passkey with this credential, with the columns that name its owner. */
export async function passkeyByCredential(
  reader: Reader,
  kind: Kind,
  credentialId: string,
): Promise<LoginPasskeyRow | undefined> {
  return reader
    .selectFrom(passkeyTable(kind))
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

/** False when an account has this credential. */
export function insertPasskey(
  writer: Writer,
  kind: Kind,
  ref: AccountRef,
  row: PasskeyColumns,
): Promise<boolean> {
  return isInserted(
    writer
      .insertInto(passkeyTable(kind))
      .values({ ...row, ...ownerOf(kind, ref) })
      .onConflict((conflict) => conflict.column('credential_id').doNothing()),
  );
}

/** False when the account has no such passkey. */
export function updatePasskey(
  writer: Writer,
  kind: Kind,
  ref: AccountRef,
  id: string,
  changes: Partial<PasskeyColumns>,
): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable(passkeyTable(kind))
      .set(changes)
      .where((eb) => eb.and(ownerOf(kind, ref)))
      .where('id', '=', id),
  );
}

/** Notes a use of a passkey; false when it is gone or was used with a counter that is not lower. */
export function usePasskey(
  writer: Writer,
  kind: Kind,
  ref: AccountRef,
  { id, ...changes }: Pick<PasskeyColumns, 'id' | 'counter' | 'backed_up' | 'last_used_at'>,
): Promise<boolean> {
  const query = writer
    .updateTable(passkeyTable(kind))
    .set(changes)
    .where((eb) => eb.and(ownerOf(kind, ref)))
    .where('id', '=', id);
  return isUpdated(
    changes.counter === 0 ? query.where('counter', '=', 0) : query.where('counter', '<', changes.counter),
  );
}

/** False when the account has no such passkey. */
export function deletePasskey(writer: Writer, kind: Kind, ref: AccountRef, id: string): Promise<boolean> {
  return isDeleted(
    writer
      .deleteFrom(passkeyTable(kind))
      .where((eb) => eb.and(ownerOf(kind, ref)))
      .where('id', '=', id),
  );
}

export async function updateSecondFactor(
  writer: Writer,
  kind: Kind,
  ref: AccountRef,
  changes: Partial<SecondFactorColumns>,
): Promise<void> {
  await writer
    .updateTable(accountTable(kind))
    .set(changes)
    .where((eb) => eb.and(keyOf(kind, ref)))
    .execute();
}

/** False when a code of this step or of a later one was taken before. */
export function takeTimeStep(writer: Writer, kind: Kind, ref: AccountRef, step: number): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable(accountTable(kind))
      .set({ totp_last_step: step })
      .where((eb) => eb.and(keyOf(kind, ref)))
      .where('totp_last_step', '<', step),
  );
}

export async function replaceRecoveryCodes(
  writer: Writer,
  kind: Kind,
  ref: AccountRef,
  hashes: readonly string[],
): Promise<void> {
  await writer
    .deleteFrom(codeTable(kind))
    .where((eb) => eb.and(ownerOf(kind, ref)))
    .execute();
  if (hashes.length === 0) return;
  await writer
    .insertInto(codeTable(kind))
    .values(hashes.map((code_hash) => ({ ...ownerOf(kind, ref), code_hash })))
    .execute();
}

export function countRecoveryCodes(reader: Reader, kind: Kind, ref: AccountRef): Promise<number> {
  return count(reader.selectFrom(codeTable(kind)).where((eb) => eb.and(ownerOf(kind, ref))));
}

/** False when there is no such code, or it was used. */
export function takeRecoveryCode(
  writer: Writer,
  kind: Kind,
  ref: AccountRef,
  hash: string,
): Promise<boolean> {
  return isDeleted(
    writer
      .deleteFrom(codeTable(kind))
      .where((eb) => eb.and(ownerOf(kind, ref)))
      .where('code_hash', '=', hash),
  );
}

/** The region in which a person is at home, when that is another than this one. */
export async function homeOfPerson(reader: Reader, personId: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom('persons')
    .select('region')
    .where('id', '=', personId)
    .executeTakeFirst();
  return row?.region ?? undefined;
}

type SignInTicketRow = Tables['sign_in_tickets'];
type TicketColumns = Pick<SignInTicketRow, 'token_hash' | 'transport' | 'attempts' | 'expires_at'>;

export async function insertTicket(
  writer: Writer,
  kind: Kind,
  ref: AccountRef,
  row: TicketColumns,
): Promise<void> {
  await writer
    .insertInto(ticketTable(kind))
    .values({ ...ownerOf(kind, ref), ...row })
    .execute();
}

/** Counts a try; undefined when the ticket is unknown, too old or has no try left. */
export async function tryTicket(
  writer: Writer,
  kind: Kind,
  hash: string,
  now: number,
  attemptsMost: number,
): Promise<SignInTicketRow | undefined> {
  return writer
    .updateTable(ticketTable(kind))
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .where('attempts', '<', attemptsMost)
    .returningAll()
    .executeTakeFirst();
}

/** False when it was used meanwhile. */
export function deleteTicket(
  writer: Writer,
  table: AccountTables['tickets'],
  hash: string,
): Promise<boolean> {
  return isDeleted(writer.deleteFrom(table as 'sign_in_tickets').where('token_hash', '=', hash));
}
