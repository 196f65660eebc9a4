import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { count, isDeleted, isInserted, isUpdated } from '../../../db/rows.ts';
import type { EnrolmentRow } from './tables.ts';

export const enrolmentOf = prepared<[serviceId: string, personId: string], EnrolmentRow>(
  (db, [serviceId, personId]) =>
    db
      .selectFrom('two_factor_enrolments')
      .selectAll()
      .where('service_id', '=', serviceId)
      .where('person_id', '=', personId),
);

/** An enrolment with what its person sees of the service. */
export interface ListedEnrolment extends EnrolmentRow {
  readonly service_name: string;
  readonly service_code: string;
  readonly company_name: string;
  readonly company_code: string;
}

/** A person's enrolments. Those of a deleted service are still being removed. */
function listed(reader: Reader, personId: string) {
  return reader
    .selectFrom('two_factor_enrolments as enrolled')
    .innerJoin('services', 'services.id', 'enrolled.service_id')
    .innerJoin('companies', 'companies.id', 'enrolled.company_id')
    .selectAll('enrolled')
    .select([
      'services.name as service_name',
      'services.share_code as service_code',
      'companies.name as company_name',
      'companies.code as company_code',
    ])
    .where('enrolled.person_id', '=', personId);
}

/** Oldest first. */
export function enrolmentsOf(reader: Reader, personId: string): Promise<ListedEnrolment[]> {
  return listed(reader, personId).orderBy('enrolled.id').execute();
}

export function enrolmentById(
  reader: Reader,
  personId: string,
  id: string,
): Promise<ListedEnrolment | undefined> {
  return listed(reader, personId).where('enrolled.id', '=', id).executeTakeFirst();
}

export function countEnrolments(reader: Reader, personId: string): Promise<number> {
  return count(reader.selectFrom('two_factor_enrolments').where('person_id', '=', personId));
}

/** False when the person is enrolled with the service already. */
export function insertEnrolment(writer: Writer, row: EnrolmentRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('two_factor_enrolments')
      .values(row)
      .onConflict((conflict) => conflict.columns(['service_id', 'person_id']).doNothing()),
  );
}

export function updateEnrolment(
  writer: Writer,
  { company_id, id }: Pick<EnrolmentRow, 'company_id' | 'id'>,
  changes: Partial<Pick<EnrolmentRow, 'muted' | 'denials' | 'denied_at'>>,
): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable('two_factor_enrolments')
      .set(changes)
      .where('company_id', '=', company_id)
      .where('id', '=', id),
  );
}

export function deleteEnrolment(
  writer: Writer,
  { company_id, id }: Pick<EnrolmentRow, 'company_id' | 'id'>,
): Promise<boolean> {
  return isDeleted(
    writer.deleteFrom('two_factor_enrolments').where('company_id', '=', company_id).where('id', '=', id),
  );
}
