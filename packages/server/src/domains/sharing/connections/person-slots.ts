import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Writer } from '../../../db/database.ts';
import { fieldsById } from '../../identity/index.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import { type Answer, answerOf, type Decided } from './decisions.ts';
import type { PlannedSlot, Registered } from './slot-home.ts';

/**
 * Checks decisions against the person's own fields.
 * @param context.registered what the person's home registered of the live answers
 * @throws {PlatformError} what `answerOf` refuses, contact_data.field_changed
 */
export async function checkAnswers(
  writer: Writer,
  personId: string,
  decided: ReadonlyMap<RequestFieldRow, Decided>,
  context: { registry: FieldTypeRegistry; now: number; registered: Registered },
): Promise<Answer[]> {
  if (decided.size === 0) return [];
  const fields = await fieldsById(writer, personId);
  return [...decided].map(([row, decision]) => {
    const answer = answerOf(row, decision, { ...context, fields });
    const field = answer.live === 1 && answer.fieldId !== null ? fields.get(answer.fieldId) : undefined;
    if (field === undefined) return answer;
    return { ...answer, ...context.registered.claim(row, field) };
  });
}

/** What decisions are about to make of a person's fields: slots that follow one, and values that come from one once. */
export function plannedSlots(
  rows: readonly RequestFieldRow[],
  decided: readonly Decided[],
): { slots: PlannedSlot[]; named: string[] } {
  const known = new Map(rows.map((row) => [row.id, row]));
  const slots: PlannedSlot[] = [];
  const named: string[] = [];
  for (const decision of decided) {
    if (decision.kind === 'keep' || decision.fieldId === undefined) continue;
    const row = known.get(decision.rowId);
    if (row !== undefined && decision.kind === 'live') slots.push({ row, fieldId: decision.fieldId });
    else named.push(decision.fieldId);
  }
  return { slots, named };
}
