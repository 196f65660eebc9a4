import type { Writer } from '../../../db/database.ts';
import { enrolmentOf, updateEnrolment } from './store.ts';
import type { EnrolmentRow } from './tables.ts';

/** How long a service must be quiet after a person denied, at first and at most. */
const FIRST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;
/** A denial counts with those before it for this long. */
const COUNTS_MS = 60 * 60_000;

type Denials = Pick<EnrolmentRow, 'denials' | 'denied_at'>;

/**
 * Milliseconds for which a service must still be quiet; 0 when it need not: 30 seconds after a denial, doubled by each
 * further one within an hour, to 10 minutes.
 */
export function quietFor({ denials, denied_at }: Denials, now: number): number {
  if (denied_at === null || denials === 0) return 0;
  return Math.max(0, denied_at + Math.min(FIRST_MS * 2 ** (denials - 1), LONGEST_MS) - now);
}

/** After one more denial. */
export function deniedAgain({ denials, denied_at }: Denials, now: number): Denials {
  const counts = denied_at !== null && now - denied_at < COUNTS_MS;
  return { denials: counts ? denials + 1 : 1, denied_at: now };
}

/** An approval ends it. */
export const NOT_QUIET: Denials = { denials: 0, denied_at: null };

/** Counts a denial of a person who is enrolled, or ends the quiet time by an approval; in the transaction of the answer. */
export async function noteAnswer(
  writer: Writer,
  { service_id, person_id }: Pick<EnrolmentRow, 'service_id' | 'person_id'>,
  answer: 'approved' | 'denied',
  now: number,
): Promise<void> {
  const [enrolment] = await enrolmentOf(writer, service_id, person_id);
  if (enrolment === undefined) return;
  if (answer === 'denied') await updateEnrolment(writer, enrolment, deniedAgain(enrolment, now));
  else if (enrolment.denials > 0) await updateEnrolment(writer, enrolment, NOT_QUIET);
}
