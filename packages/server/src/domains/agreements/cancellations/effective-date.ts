import { isCalendarDate } from '@symbolon/field-types';
import type { DocumentRow } from '../documents/tables.ts';
import { agreedTerms } from '../documents/terms.ts';

/**
 * The day on which a cancellation takes effect (wire 11.4): of an active contract the one that its metadata names, as
 * they were when the customer acted, else today.
 */
export function effectiveDate(document: DocumentRow, today: string): string {
  if (document.status !== 'active') return today;
  const { valid_until, renewal_date } = agreedTerms(document).metadata;
  return dayIn(valid_until) ?? dayIn(renewal_date) ?? today;
}

/** Metadata is whatever the company stored: a day, or a time that begins with one. */
function dayIn(value: unknown): string | undefined {
  const [, day = ''] = typeof value === 'string' ? (/^(\d{4}-\d\d-\d\d)(?:T.*)?$/.exec(value) ?? []) : [];
  return isCalendarDate(day) ? day : undefined;
}
