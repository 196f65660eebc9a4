import { sealValue, serializeWrapper } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { Decision, RequestField } from '@symbolon/protocol';
import { InvalidRequestError, ValueError } from '../http/errors.ts';
import { plaintextOf, type ValueInput } from '../values/plaintext.ts';
import { checkServiceKey } from '../values/service-key.ts';
import type { Field } from './field.ts';

/**
 * How a request row is answered: by a field (its id or slug), live or as a snapshot; by a value typed in, once; or,
 * when mappings are replaced, by what stands there now.
 */
export type Answer = { field: string; oneTime?: boolean } | { value: ValueInput } | { keep: true };
/** By the service's request slug. */
export type Answers = Readonly<Record<string, Answer>>;

/** What is needed to answer: the rows, the key to seal to, the person's own fields. */
export type AnswerContext = {
  requestFields: readonly RequestField[];
  service: { public_key: string; public_key_sha256: string };
  fields: readonly Field[];
  registry: FieldTypeRegistry;
};

/**
 * Seals every answer to the service's key.
 *
 * @throws InvalidRequestError `sdk.answer_unknown` for a slug the service does not ask for or a field the person does
 * not have; ValueError for a value that is not valid for the row
 */
export async function decisionsOf(answers: Answers, context: AnswerContext): Promise<Decision[]> {
  await checkServiceKey(context.service);
  const rows = new Map(context.requestFields.map((row) => [row.slug, row]));
  return Promise.all(
    Object.entries(answers).map(([slug, answer]) => {
      const row = rows.get(slug);
      if (!row) throw unknown(`The service does not ask for ${slug}.`);
      return decisionOf(row, answer, context);
    }),
  );
}

async function decisionOf(row: RequestField, answer: Answer, context: AnswerContext): Promise<Decision> {
  const request_field_id = row.id;
  if ('keep' in answer) return { request_field_id, kind: 'keep' };
  const recipient = context.service.public_key;
  if ('value' in answer) {
    const plaintext = plaintextOf(row.type, answer.value, context.registry);
    return {
      request_field_id,
      kind: 'one_time',
      value: serializeWrapper(await sealValue(plaintext, recipient)),
    };
  }
  const field = context.fields.find(({ id, slug }) => id === answer.field || slug === answer.field);
  if (!field) throw unknown(`There is no field ${answer.field}.`);
  if (field.text === null) {
    const details = { field: field.slug };
    throw new ValueError({
      errorKey: 'sdk.field_unreadable',
      message: 'The field has no readable value.',
      details,
    });
  }
  return {
    request_field_id,
    kind: answer.oneTime || row.one_time ? 'one_time' : 'live',
    field_id: field.id,
    value: serializeWrapper(await sealValue(field.text, recipient)),
  };
}

function unknown(message: string): InvalidRequestError {
  return new InvalidRequestError({ errorKey: 'sdk.answer_unknown', message });
}
