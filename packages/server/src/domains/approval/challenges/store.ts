import { type RawBuilder, sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { prepared, preparedInsert } from '../../../db/prepared.ts';
import type { Flag } from '../../../db/tables.ts';
import type { EnrolmentRow } from '../enrolments/tables.ts';
import type { ChallengeRow } from './tables.ts';

type Key = Pick<ChallengeRow, 'company_id' | 'id'>;

/** An enrolled person, as a service that asks needs them. */
export interface Enrolled
  extends Pick<EnrolmentRow, 'id' | 'company_id' | 'person_id' | 'muted' | 'denials' | 'denied_at'> {
  /** The generated one, whichever code was asked for. */
  readonly share_code: string;
  readonly number_matching: Flag;
  /** Where the person is at home; null for this region. */
  readonly region: string | null;
}

/**
 * Who of a service's enrolled people has a code. One statement for every code, so that the time does not tell a code that
 * does not exist from one of a person who is not enrolled.
 */
export const enrolledByCode = prepared<[code: string, serviceId: string], Enrolled>((db, [code, serviceId]) =>
  db
    .selectFrom('share_codes')
    .innerJoin('two_factor_enrolments as enrolled', (join) =>
      join
        .onRef('enrolled.person_id', '=', 'share_codes.subject_id')
        .on('enrolled.service_id', '=', serviceId),
    )
    .innerJoin('persons', 'persons.id', 'enrolled.person_id')
    .innerJoin('services', 'services.id', 'enrolled.service_id')
    .select([
      'enrolled.id',
      'enrolled.company_id',
      'enrolled.person_id',
      'enrolled.muted',
      'enrolled.denials',
      'enrolled.denied_at',
      'persons.share_code',
      'services.number_matching',
      'persons.region',
    ])
    .where('share_codes.code', '=', code),
);

/** What the same call gave before, while that lives. */
export const repeatOf = prepared<
  [serviceId: string, personId: string, key: string, now: number],
  Pick<ChallengeRow, 'id' | 'expires_at' | 'digits'>
>((db, [serviceId, personId, key, now]) =>
  db
    .selectFrom('two_factor_challenges')
    .select(['id', 'expires_at', 'digits'])
    .where('service_id', '=', serviceId)
    .where('person_id', '=', personId)
    .where('idempotency_key', '=', key)
    .where('expires_at', '>', now),
);

/** What a person is asked now, by any service. */
export const pendingOf = prepared<
  [personId: string, now: number],
  Pick<ChallengeRow, 'service_id' | 'digits' | 'expires_at'>
>((db, [personId, now]) =>
  db
    .selectFrom('two_factor_challenges')
    .select(['service_id', 'digits', 'expires_at'])
    .where('person_id', '=', personId)
    .where('status', '=', isPending)
    .where('expires_at', '>', now),
);

/** As text of the statement: the index is of pending rows alone. */
const isPending: RawBuilder<'pending'> = sql.lit('pending');

export const insertChallenge = preparedInsert('two_factor_challenges', [
  'company_id',
  'id',
  'service_id',
  'person_id',
  'idempotency_key',
  'context',
  'digits',
  'wrong_digits',
  'status',
  'created_at',
  'expires_at',
  'completed_at',
  'approved_by',
  'spent_at',
  'delivered',
  'claim_owner',
  'claimed_until',
]);

/** A challenge, as its outcome is delivered. */
export type Outcome = Pick<ChallengeRow, 'status' | 'expires_at' | 'completed_at' | 'delivered'>;

export const outcomeOf = prepared<[companyId: string, serviceId: string, id: string], Outcome>(
  (db, [companyId, serviceId, id]) =>
    db
      .selectFrom('two_factor_challenges')
      .select(['status', 'expires_at', 'completed_at', 'delivered'])
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('service_id', '=', serviceId),
);

/** A challenge with what its person sees of the service, and what the service knows the person by. */
export interface AskedChallenge extends ChallengeRow {
  readonly service_name: string;
  readonly service_code: string;
  readonly number_matching: Flag;
  readonly require_2fa: Flag;
  readonly admin_email: string;
  readonly company_name: string;
  readonly company_code: string;
  readonly share_code: string;
  /** Where the person is at home; null for this region. */
  readonly region: string | null;
}

function asked(reader: Reader, personId: string) {
  return reader
    .selectFrom('two_factor_challenges as challenge')
    .innerJoin('services', 'services.id', 'challenge.service_id')
    .innerJoin('companies', 'companies.id', 'challenge.company_id')
    .innerJoin('persons', 'persons.id', 'challenge.person_id')
    .selectAll('challenge')
    .select([
      'services.name as service_name',
      'services.share_code as service_code',
      'services.number_matching',
      'services.require_2fa',
      'services.admin_email',
      'companies.name as company_name',
      'companies.code as company_code',
      'persons.share_code',
      'persons.region',
    ])
    .where('challenge.person_id', '=', personId);
}

/** What a person is asked now, oldest first. */
export const askedOf = prepared<[personId: string, now: number], AskedChallenge>((db, [personId, now]) =>
  asked(db, personId)
    .where('challenge.status', '=', isPending)
    .where('challenge.expires_at', '>', now)
    .orderBy('challenge.id'),
);

export const askedById = prepared<[personId: string, id: string], AskedChallenge>((db, [personId, id]) =>
  asked(db, personId).where('challenge.id', '=', id),
);

/** Completes a challenge that waits; gives no row for one that no longer does. */
export const completeChallenge = prepared<
  [
    companyId: string,
    id: string,
    status: 'approved' | 'denied' | 'revoked',
    approvedBy: ChallengeRow['approved_by'],
    at: number,
  ],
  Pick<ChallengeRow, 'id'>
>((db, [companyId, id, status, approvedBy, at]) =>
  db
    .updateTable('two_factor_challenges')
    .set({ status, approved_by: approvedBy, completed_at: at })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('status', '=', isPending)
    .returning('id'),
);

/** What decides whether a challenge proves an act. */
export type ProvingChallenge = Pick<
  ChallengeRow,
  'status' | 'context' | 'completed_at' | 'approved_by' | 'spent_at'
>;

export const provingChallenge = prepared<
  [companyId: string, serviceId: string, personId: string, id: string],
  ProvingChallenge
>((db, [companyId, serviceId, personId, id]) =>
  db
    .selectFrom('two_factor_challenges')
    .select(['status', 'context', 'completed_at', 'approved_by', 'spent_at'])
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('service_id', '=', serviceId)
    .where('person_id', '=', personId),
);

/** Gives no row for one that proved an act already. */
export const spendChallenge = prepared<[companyId: string, id: string, at: number], Pick<ChallengeRow, 'id'>>(
  (db, [companyId, id, at]) =>
    db
      .updateTable('two_factor_challenges')
      .set({ spent_at: at })
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('spent_at', 'is', null)
      .returning('id'),
);

type DeletedChallenge = Pick<ChallengeRow, 'id' | 'person_id' | 'status' | 'expires_at'>;

/** Deletes some challenges of a service, found by the index on it; gives them. */
export async function deleteOfService(
  engine: Engine,
  writer: Writer,
  serviceId: string,
  most: number,
): Promise<DeletedChallenge[]> {
  const rows = await writer
    .selectFrom('two_factor_challenges')
    .select(['id', 'person_id', 'status', 'expires_at'])
    .where('service_id', '>=', serviceId)
    .where('service_id', '<=', serviceId)
    .orderBy('service_id')
    .limit(inOrderMost(most))
    .execute();
  const ids = listParameter(
    engine,
    rows.map(({ id }) => id),
  );
  await writer
    .deleteFrom('two_factor_challenges')
    .where(inList(engine, 'id', ids))
    .execute();
  return rows;
}

export async function setWrongDigits(writer: Writer, { company_id, id }: Key, wrong: number): Promise<void> {
  await writer
    .updateTable('two_factor_challenges')
    .set({ wrong_digits: wrong })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
}
