import type { Reader } from '../../../db/database.ts';
import type { SoughtCode } from './code-lookups.ts';

/** Whether a connection stands between who looks and who has the code, in either direction. */
export async function knowEachOther(reader: Reader, { seeker, code }: SoughtCode): Promise<boolean> {
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
