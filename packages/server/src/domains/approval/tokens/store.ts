import type { Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { isUpdated } from '../../../db/rows.ts';
import type { SignInPlaintextRow, SignInRow } from './tables.ts';

/** What the exchange of a code reads; values of claims may be long and are left where they are. */
export type ExchangeRow = Omit<SignInRow, 'claims' | 'attestations'> & {
  /** The readable claims, if the app wants any. */
  readonly sealed: SignInPlaintextRow['sealed'] | null;
  /** The person's by now; null when the person is gone. */
  readonly epoch: number | null;
};

const EXCHANGED = [
  'sign_ins.company_id',
  'sign_ins.id',
  'sign_ins.client_id',
  'sign_ins.person_id',
  'sign_ins.person_epoch',
  'sign_ins.code_hash',
  'sign_ins.code_expires_at',
  'sign_ins.used_at',
  'sign_ins.revoked_at',
  'sign_ins.expires_at',
  'sign_ins.share_code',
  'sign_ins.mode',
  'sign_ins.redirect_uri',
  'sign_ins.code_challenge',
  'sign_ins.nonce',
  'sign_ins.scope',
  'sign_ins.two_factor',
  'sign_ins.auth_time',
  'sign_ins.created_at',
] as const satisfies readonly `sign_ins.${keyof SignInRow}`[];

export const signInForExchange = prepared<[companyId: string, id: string], ExchangeRow>(
  (db, [companyId, id]) =>
    db
      .selectFrom('sign_ins')
      .leftJoin('sign_in_plaintexts', (join) =>
        join
          .onRef('sign_in_plaintexts.company_id', '=', 'sign_ins.company_id')
          .onRef('sign_in_plaintexts.id', '=', 'sign_ins.id'),
      )
      .leftJoin('persons', 'persons.id', 'sign_ins.person_id')
      .select(EXCHANGED)
      .select(['sign_in_plaintexts.sealed', 'persons.epoch'])
      .where('sign_ins.company_id', '=', companyId)
      .where('sign_ins.id', '=', id),
);

export async function insertSignIn(writer: Writer, row: SignInRow): Promise<void> {
  await writer.insertInto('sign_ins').values(row).execute();
}

/** Whether a person's password or credentials were replaced, or the person deleted, since they approved a sign-in. */
export function isOfEarlierEpoch({
  person_epoch,
  epoch,
}: Pick<ExchangeRow, 'person_epoch' | 'epoch'>): boolean {
  // Another region may know a newer epoch than this one.
  return person_epoch !== null && (epoch === null || person_epoch < epoch);
}

export async function insertPlaintext(writer: Writer, row: SignInPlaintextRow): Promise<void> {
  await writer.insertInto('sign_in_plaintexts').values(row).execute();
}

const usedNow = prepared<[now: number, companyId: string, id: string], Pick<SignInRow, 'id'>>(
  (db, [now, companyId, id]) =>
    db
      .updateTable('sign_ins')
      .set({ used_at: now })
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .returning('id'),
);

const deletePlaintext = prepared<[companyId: string, id: string], unknown>((db, [companyId, id]) =>
  db.deleteFrom('sign_in_plaintexts').where('company_id', '=', companyId).where('id', '=', id),
);

/** Uses up a code, and deletes what only the code opens. @returns whether it was unused until now */
export async function burn(
  writer: Writer,
  { company_id, id }: { company_id: string; id: string },
  now: number,
  hasPlaintext: boolean,
): Promise<boolean> {
  if ((await usedNow(writer, now, company_id, id)).length === 0) return false;
  if (hasPlaintext) await deletePlaintext(writer, company_id, id);
  return true;
}

/** Ends the token of one sign-in; false when it had ended before. */
export function revoke(
  writer: Writer,
  { company_id, id }: { company_id: string; id: string },
  now: number,
): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable('sign_ins')
      .set({ revoked_at: now })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .where('revoked_at', 'is', null),
  );
}

/** Ends every code and token that a person gave an app. */
export async function revokeOfPerson(
  writer: Writer,
  { companyId, clientId, personId }: { companyId: string; clientId: string; personId: string },
  now: number,
): Promise<void> {
  await writer
    .updateTable('sign_ins')
    .set({ revoked_at: now })
    .where('person_id', '=', personId)
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Whose token it is; nothing once its app is deleted. Every call with it reads this. */
export const signInOfToken = prepared<
  [companyId: string, id: string],
  Pick<ExchangeRow, 'client_id' | 'revoked_at' | 'person_epoch' | 'epoch'>
>((db, [companyId, id]) =>
  db
    .selectFrom('sign_ins')
    .innerJoin('oauth_apps', (join) =>
      join
        .onRef('oauth_apps.company_id', '=', 'sign_ins.company_id')
        .onRef('oauth_apps.client_id', '=', 'sign_ins.client_id'),
    )
    .leftJoin('persons', 'persons.id', 'sign_ins.person_id')
    .select(['sign_ins.client_id', 'sign_ins.revoked_at', 'sign_ins.person_epoch', 'persons.epoch'])
    .where('sign_ins.company_id', '=', companyId)
    .where('sign_ins.id', '=', id),
);

/** What the token of a sign-in opens. */
export const userInfoRow = prepared<
  [companyId: string, id: string],
  Pick<SignInRow, 'share_code' | 'mode' | 'two_factor' | 'claims' | 'attestations'>
>((db, [companyId, id]) =>
  db
    .selectFrom('sign_ins')
    .select(['share_code', 'mode', 'two_factor', 'claims', 'attestations'])
    .where('company_id', '=', companyId)
    .where('id', '=', id),
);
