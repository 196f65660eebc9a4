import type { Reader, Writer } from '../../../db/database.ts';
import type { ServiceRef } from '../standing/service.ts';
import type { ReplyTemplateRow } from './tables.ts';

export const templatesOf = (reader: Reader, { companyId, serviceId }: ServiceRef) =>
  reader
    .selectFrom('reply_templates')
    .where('company_id', '=', companyId)
    .where('service_id', '=', serviceId);

export async function insertTemplate(writer: Writer, row: ReplyTemplateRow): Promise<void> {
  await writer.insertInto('reply_templates').values(row).execute();
}
