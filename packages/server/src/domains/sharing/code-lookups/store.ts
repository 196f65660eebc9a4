import type { Reader } from '../../../db/database.ts';
import { exists } from '../../../db/rows.ts';
import type { SoughtCode } from './code-lookups.ts';

/** Whether a connection or an enrolment stands between who looks and who has the code. */
export async function knowEachOther(reader: Reader, sought: SoughtCode): Promise<boolean> {
  return (await areConnected(reader, sought)) || (await isEnrolled(reader, sought));
}

/** In either direction. */
async function areConnected(reader: Reader, { seeker, code }: SoughtCode): Promise<boolean> {
  const owner = reader.selectFrom('share_codes').select('subject_id').where('code', '=', code);
  const found = await reader
    .selectFrom('connections')
    // Connections of a deleted service are still being removed.
    .innerJoin('services', 'services.id', 'connections.service_id')
    .select('connections.id')
    .where((eb) =>
      eb.or([
        eb.and([eb('customer_id', '=', owner), eb('connections.company_id', '=', seeker)]),
        eb.and([eb('customer_id', '=', seeker), eb('connections.company_id', '=', owner)]),
      ]),
    )
    .limit(1)
    .execute();
  return found.length > 0;
}

/** Whether the person lets a service of the company ask. */
function isEnrolled(reader: Reader, { seeker, code }: SoughtCode): Promise<boolean> {
  return exists(
    reader
      .selectFrom('share_codes')
      .innerJoin('two_factor_enrolments as enrolled', 'enrolled.person_id', 'share_codes.subject_id')
      .select('enrolled.id')
      .where('share_codes.code', '=', code)
      .where('enrolled.company_id', '=', seeker)
      .limit(1),
  );
}
