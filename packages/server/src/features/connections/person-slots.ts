import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Writer } from '../../db/database.ts';
import type { RequestFieldRow } from '../../db/tables.ts';
import { ownFields } from '../fields/own-fields.ts';
import { type Answer, answerOf, type Decided } from './decisions.ts';

/** Checks decisions against the person's own fields. @throws {PlatformError} what `answerOf` refuses */
export async function checkAnswers(
  writer: Writer,
  personId: string,
  decided: ReadonlyMap<RequestFieldRow, Decided>,
  context: { registry: FieldTypeRegistry; now: number },
): Promise<Answer[]> {
  if (decided.size === 0) return [];
  const fields = await ownFields(writer, personId);
  return [...decided].map(([row, decision]) => answerOf(row, decision, { ...context, fields }));
}
