import type { ListedService, RequestFieldRow } from '../../services/index.ts';
import { type Decided, uploadsIn } from './decisions.ts';
import type { Plan, PlannedSlot } from './slot-home.ts';

/** What a person's home region has to know about answers before they are given. */
export function planOf(
  service: ListedService,
  connectionId: string,
  rows: readonly RequestFieldRow[],
  decided: readonly Decided[],
): Plan {
  const known = new Map(rows.map((row) => [row.id, row]));
  const slots: PlannedSlot[] = [];
  const named: string[] = [];
  const fileFields: string[] = [];
  for (const decision of decided) {
    if (decision.kind === 'remove') continue;
    if (decision.fieldId === undefined) continue;
    if (decision.value === undefined && decision.uploadId === undefined) fileFields.push(decision.fieldId);
    const row = known.get(decision.rowId);
    if (row !== undefined && decision.kind === 'live') slots.push({ row, fieldId: decision.fieldId });
    else named.push(decision.fieldId);
  }
  return {
    companyId: service.company_id,
    serviceId: service.id,
    servicePublicKey: service.public_key,
    connectionId,
    slots,
    named,
    uploads: uploadsIn(decided),
    fileFields,
  };
}
