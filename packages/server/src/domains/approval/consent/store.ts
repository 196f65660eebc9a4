import { limits } from '@symbolon/protocol';
import { rowBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { isInserted, isUpdated } from '../../../db/rows.ts';
import type { ClaimChoiceRow, ConsentRequestRow, SignInLogRow } from './tables.ts';

type Key = Pick<ConsentRequestRow, 'company_id' | 'id'>;

/** False when it is stored, or the app has a request with this state. */
export function insertRequest(writer: Writer, row: ConsentRequestRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('consent_requests')
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  );
}

export const requestById = prepared<[id: string], ConsentRequestRow>((db, [id]) =>
  db.selectFrom('consent_requests').selectAll().where('id', '=', id),
);

export const requestByState = prepared<[clientId: string, stateHash: string], ConsentRequestRow>(
  (db, [clientId, stateHash]) =>
    db
      .selectFrom('consent_requests')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('state_hash', '=', stateHash),
);

/** Counts a wrong entry. @returns how many there are */
export async function countWrongDigits(writer: Writer, { company_id, id }: Key): Promise<number> {
  const { wrong_digits } = await writer
    .updateTable('consent_requests')
    .set((eb) => ({ wrong_digits: eb('wrong_digits', '+', 1) }))
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .returning('wrong_digits')
    .executeTakeFirstOrThrow();
  return wrong_digits;
}

/** What a person has begun at an app and not decided, the newest first. */
export function requestsOfPerson(
  reader: Reader,
  clientId: string,
  personId: string,
): Promise<ConsentRequestRow[]> {
  return reader
    .selectFrom('consent_requests')
    .selectAll()
    .where('person_id', '=', personId)
    .where('client_id', '=', clientId)
    .where('status', '=', 'open')
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
}

/** Open requests of a company with claims that plugins answer. */
export function requestsOfPlugins(
  reader: Reader,
  companyId: string,
  now: number,
): Promise<Pick<ConsentRequestRow, 'client_id' | 'claims'>[]> {
  return reader
    .selectFrom('consent_requests')
    .select(['client_id', 'claims'])
    .where('company_id', '=', companyId)
    .where('status', '=', 'open')
    .where('expires_at', '>', now)
    .where('claims', 'like', '%"plugin":{%')
    .limit(100)
    .execute();
}

/** Makes a request the person's own; false when it is another person's. */
export function ownRequest(writer: Writer, { company_id, id }: Key, personId: string): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable('consent_requests')
      .set({ person_id: personId })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .where((eb) => eb.or([eb('person_id', 'is', null), eb('person_id', '=', personId)])),
  );
}

/** Decides an open request of a person; false when it was decided, has ended, or is another person's. */
export function decideRequest(
  writer: Writer,
  { company_id, id }: Key,
  decision: Pick<ConsentRequestRow, 'status' | 'result'> & { personId: string; now: number },
): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable('consent_requests')
      .set({ status: decision.status, result: decision.result, person_id: decision.personId })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .where('status', '=', 'open')
      .where('expires_at', '>', decision.now)
      .where((eb) => eb.or([eb('person_id', 'is', null), eb('person_id', '=', decision.personId)])),
  );
}

export async function choicesOf(
  reader: Reader,
  { company_id, client_id, person_id }: Pick<ClaimChoiceRow, 'company_id' | 'client_id' | 'person_id'>,
): Promise<Record<string, string>> {
  const row = await reader
    .selectFrom('claim_choices')
    .select('fields')
    .where('company_id', '=', company_id)
    .where('client_id', '=', client_id)
    .where('person_id', '=', person_id)
    .executeTakeFirst();
  return row === undefined ? {} : (JSON.parse(row.fields) as Record<string, string>);
}

export async function saveChoices(writer: Writer, row: ClaimChoiceRow): Promise<void> {
  await writer
    .insertInto('claim_choices')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'client_id', 'person_id']).doUpdateSet({ fields: row.fields }),
    )
    .execute();
}

/** Adds to what a person is shown; of too much, the oldest goes. */
export async function insertSignInLog(writer: Writer, row: SignInLogRow): Promise<void> {
  await writer.insertInto('sign_in_log').values(row).execute();
  const ofPerson = writer.selectFrom('sign_in_log').where('person_id', '=', row.person_id);
  const last = await ofPerson
    .select('id')
    .orderBy('id', 'desc')
    .offset(limits.signInLogMost)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  await writer
    .deleteFrom('sign_in_log')
    .where('person_id', '=', row.person_id)
    .where('id', '<=', last.id)
    .execute();
}

/** What an app learns about a person. */
export async function shareCodeOf(reader: Reader, personId: string): Promise<string | undefined> {
  return (await rowBy(reader, 'persons', { id: personId }, ['share_code']))?.share_code;
}

export interface ListedSignIn extends SignInLogRow {
  readonly app_name: string | null;
  readonly company_name: string;
  readonly company_code: string;
}

function signIns(reader: Reader, personId: string) {
  return reader
    .selectFrom('sign_in_log')
    .innerJoin('companies', 'companies.id', 'sign_in_log.company_id')
    .leftJoin('oauth_apps', (join) =>
      join
        .onRef('oauth_apps.company_id', '=', 'sign_in_log.company_id')
        .onRef('oauth_apps.client_id', '=', 'sign_in_log.client_id'),
    )
    .selectAll('sign_in_log')
    .select([
      'oauth_apps.name as app_name',
      'companies.name as company_name',
      'companies.code as company_code',
    ])
    .where('sign_in_log.person_id', '=', personId);
}

/** The latest, oldest first. */
export async function signInsOf(reader: Reader, personId: string, most: number): Promise<ListedSignIn[]> {
  const rows = await signIns(reader, personId).orderBy('sign_in_log.id', 'desc').limit(most).execute();
  return rows.reverse();
}

export function signInById(reader: Reader, personId: string, id: string): Promise<ListedSignIn | undefined> {
  return signIns(reader, personId).where('sign_in_log.id', '=', id).executeTakeFirst();
}

export async function revokeSignIns(
  writer: Writer,
  { companyId, clientId, personId }: { companyId: string; clientId: string; personId: string },
): Promise<void> {
  await writer
    .updateTable('sign_in_log')
    .set({ outcome: 'revoked' })
    .where('person_id', '=', personId)
    .where('company_id', '=', companyId)
    .where('client_id', '=', clientId)
    .where('outcome', '=', 'approved')
    .execute();
}
