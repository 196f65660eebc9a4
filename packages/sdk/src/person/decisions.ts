import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Decision, RequestField } from '@symbolon/protocol';
import {
  type Asked,
  decisionsOf,
  type Remove,
  sealedFor,
  unknownAnswer,
} from '../customer-side/decisions.ts';
import { ValueError } from '../http/errors.ts';
import { plaintextOf, type ValueInput } from '../values/plaintext.ts';
import type { Field } from './field.ts';

/**
 * How a person answers a request row: by a field (its id or slug), live or as a snapshot, or by a typed value, which is
 * sent once.
 */
export type Answer = { field: string; oneTime?: boolean } | { value: ValueInput } | Remove;
/** By the service's request slug. */
export type Answers = Readonly<Record<string, Answer>>;

/**
 * Seals a person's answers.
 *
 * @throws InvalidRequestError `sdk.answer_unknown` for a field the person does not have; ValueError for a value that is
 * not valid for its row; and as `decisionsOf`
 */
export function personDecisions(
  answers: Answers,
  asked: Asked<RequestField>,
  own: { fields: readonly Field[]; registry: FieldTypeRegistry },
): Promise<Decision[]> {
  return decisionsOf(answers, asked, async (row, answer: Exclude<Answer, Remove>): Promise<Decision> => {
    if ('value' in answer) {
      const value = await sealedFor(asked.service, plaintextOf(row.type, answer.value, own.registry));
      return { request_field_id: row.id, kind: 'one_time', value };
    }
    const field = readableField(own.fields, answer.field);
    return {
      request_field_id: row.id,
      kind: answer.oneTime || row.one_time ? 'one_time' : 'live',
      field_id: field.id,
      value: await sealedFor(asked.service, field.text),
    };
  });
}

/**
 * The field that answers, with its value.
 *
 * @param named its id or slug
 * @throws InvalidRequestError `sdk.answer_unknown`; ValueError `sdk.field_unreadable`
 */
export function readableField(fields: readonly Field[], named: string): { id: string; text: string } {
  const field = fields.find(({ id, slug }) => id === named || slug === named);
  if (!field) throw unknownAnswer(`There is no field ${named}.`);
  const { id, slug, text } = field;
  if (text !== null) return { id, text };
  const message = 'The field has no readable value.';
  throw new ValueError({ errorKey: 'sdk.field_unreadable', message, details: { field: slug } });
}
