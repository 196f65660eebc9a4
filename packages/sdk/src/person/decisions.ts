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
import type { PersonFiles } from './files.ts';

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
  own: { fields: readonly Field[]; registry: FieldTypeRegistry; files: PersonFiles },
): Promise<Decision[]> {
  return decisionsOf(answers, asked, async (row, answer: Exclude<Answer, Remove>): Promise<Decision> => {
    const isFile = own.registry.isBinary(row.type);
    const contentFor = async (field: Field): Promise<Pick<Decision, 'value' | 'upload_id'>> => {
      if (!isFile) return { value: await sealedFor(asked.service, textOf(field)) };
      // The platform gives the service the same file.
      if (field.file?.sealed === false) return {};
      return { upload_id: await own.files.uploadOf(field.id, asked.service.public_key) };
    };
    if ('value' in answer) {
      if (isFile) {
        const text = plaintextOf(row.type, answer.value, own.registry);
        const upload_id = await own.files.upload(text, asked.service.public_key);
        return { request_field_id: row.id, kind: 'one_time', upload_id };
      }
      const value = await sealedFor(asked.service, plaintextOf(row.type, answer.value, own.registry));
      return { request_field_id: row.id, kind: 'one_time', value };
    }
    const field = fieldNamed(own.fields, answer.field);
    return {
      request_field_id: row.id,
      kind: answer.oneTime || row.one_time ? 'one_time' : 'live',
      field_id: field.id,
      ...(await contentFor(field)),
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
  const field = fieldNamed(fields, named);
  return { id: field.id, text: textOf(field) };
}

function fieldNamed(fields: readonly Field[], named: string): Field {
  const field = fields.find(({ id, slug }) => id === named || slug === named);
  if (!field) throw unknownAnswer(`There is no field ${named}.`);
  return field;
}

function textOf({ slug, text }: Field): string {
  if (text !== null) return text;
  const message = 'The field has no readable value.';
  throw new ValueError({ errorKey: 'sdk.field_unreadable', message, details: { field: slug } });
}
