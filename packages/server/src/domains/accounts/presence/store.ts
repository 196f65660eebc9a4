import type { CompiledQuery, Kysely } from 'kysely';
import type { AccountRef } from '../../../access/user-handle.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { count, isDeleted, isInserted, isUpdated } from '../../../db/rows.ts';
import type { Flag, Tables } from '../../../db/tables.ts';
import type { AccountKind, AccountTables, Owner, SecondFactorColumns } from './account.ts';
import type { PasskeyColumns, UsedNonceRow } from './tables.ts';

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

type Argument = string | number | null;
/** Names an account; a login, as in the whole file. */
type LoginOwner = { company_id: string; login_id: string };

/** A statement on the passkeys of one account, compiled for people and for logins: every proof by passkey needs some. */
function ofPasskeys<Args extends readonly Argument[], Row>(
  build: (
    db: Kysely<Tables>,
    table: 'login_passkeys',
    owner: LoginOwner,
    ...args: Args
  ) => { compile(): CompiledQuery<Row> },
) {
  const ofPerson = prepared<[personId: string, ...Args], Row>((db, [person_id, ...args]) =>
    build(db, 'person_passkeys' as 'login_passkeys', { person_id } as unknown as LoginOwner, ...args),
  );
  const ofLogin = prepared<[companyId: string, loginId: string, ...Args], Row>(
    (db, [company_id, login_id, ...args]) => build(db, 'login_passkeys', { company_id, login_id }, ...args),
  );
  return (db: Reader | Writer, ref: AccountRef, ...args: Args): Promise<Row[]> =>
    ref.kind === 'person'
      ? ofPerson(db, ref.personId, ...args)
      : ofLogin(db, ref.companyId, ref.loginId, ...args);
}

/** The passkeys of an account, the oldest first. */
export const passkeysOf = ofPasskeys<[], PasskeyColumns>((db, table, owner) =>
  db
    .selectFrom(table)
    .selectAll()
    .where((eb) => eb.and(owner))
    .orderBy('id'),
);

/** The passkey of an account with this credential. */
export const passkeyByCredential = ofPasskeys<[credentialId: string], PasskeyColumns>(
  (db, table, owner, credentialId) =>
    db
      .selectFrom(table)
      .selectAll()
      .where((eb) => eb.and(owner))
      .where('credential_id', '=', credentialId),
);

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

const passkeyUsed = ofPasskeys<
  [id: string, counter: number, below: number, backedUp: Flag, usedAt: number | null],
  Pick<PasskeyColumns, 'id'>
>((db, table, owner, id, counter, below, backed_up, last_used_at) =>
  db
    .updateTable(table)
    .set({ counter, backed_up, last_used_at })
    .where((eb) => eb.and(owner))
    .where('id', '=', id)
    .where('counter', '<', below)
    .returning('id'),
);

/**
 * Notes a use of a passkey; false when it is gone or was used with a counter that is not lower. Of one that may be copied between
 * devices, also before the first backup is told, the counter is a signal only (Web Authentication, level 3, 6.1.1): each device may count
 * by itself, or not at all.
 */
export async function usePasskey(
  writer: Writer,
  ref: AccountRef,
  used: Pick<PasskeyColumns, 'id' | 'counter' | 'backed_up' | 'last_used_at'>,
  isCopyable: boolean,
): Promise<boolean> {
  const { id, counter, backed_up, last_used_at } = used;
  // One that does not count stays at 0.
  const below = isCopyable ? COUNTERS : Math.max(counter, 1);
  return (await passkeyUsed(writer, ref, id, counter, below, backed_up, last_used_at)).length > 0;
}

/** How many counters there are: they have 32 bits. */
const COUNTERS = 2 ** 32;

const nonceUsed = prepared<[nonce: string, expiresAt: number], Pick<UsedNonceRow, 'nonce'>>(
  (db, [nonce, expires_at]) =>
    db
      .insertInto('used_nonces')
      .values({ nonce, expires_at })
      .onConflict((conflict) => conflict.column('nonce').doNothing())
      .returning('nonce'),
);

/** False when it was used before. */
export async function insertUsedNonce(writer: Writer, row: UsedNonceRow): Promise<boolean> {
  return (await nonceUsed(writer, row.nonce, row.expires_at)).length > 0;
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

const regionOf = prepared<[personId: string], { region: string | null }>((db, [personId]) =>
  db.selectFrom('persons').select('region').where('id', '=', personId),
);

/** The region in which a person is at home, when that is another than this one. */
export async function homeOfPerson(reader: Reader, personId: string): Promise<string | undefined> {
  const [person] = await regionOf(reader, personId);
  return person?.region ?? undefined;
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
