import type { Reader } from '../../../db/database.ts';
import { unindexed } from '../../../db/unindexed.ts';
import { type DocumentKey, type ListedDocument, listed } from '../documents/store.ts';
import type { DocumentRow } from '../documents/tables.ts';

/** A cancelled contract whose last day has come. */
export type DueDocument = DocumentKey & Pick<DocumentRow, 'ends_on'>;

/**
 * Some cancelled contracts that end on a day or should have ended before it, those that ended first before the others. Only in
 * the home region of their company: rows of one that is moving do not count.
 * @param passed companies to pass over
 */
export function dueDocuments(
  reader: Reader,
  day: string,
  most: number,
  passed: readonly string[],
): Promise<DueDocument[]> {
  let rows = reader
    .selectFrom('documents')
    .innerJoin('companies', (join) => join.on('companies.id', '=', unindexed('documents.company_id')))
    .select(['documents.company_id', 'documents.service_id', 'documents.id', 'documents.ends_on'])
    .where('companies.region', 'is', null)
    .where('documents.status', '=', 'active_but_ending')
    .where('documents.ends_on', '<=', day);
  if (passed.length > 0) rows = rows.where('documents.company_id', 'not in', passed);
  return rows.orderBy('documents.ends_on').limit(most).execute();
}

/** Those of some documents that still are to end on a day or before it. */
export function stillDue(
  reader: Reader,
  day: string,
  due: readonly DocumentKey[],
): Promise<ListedDocument[]> {
  return listed(reader)
    .where(
      'documents.id',
      'in',
      due.map(({ id }) => id),
    )
    .where('documents.status', '=', 'active_but_ending')
    .where('documents.ends_on', '<=', day)
    .orderBy('documents.id')
    .execute();
}
