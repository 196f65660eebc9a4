import { sealValue, serializeWrapper } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerDecision, CustomerRequestField } from '@symbolon/protocol';
import { InvalidRequestError } from '../http/errors.ts';
import { plaintextOf, type ValueInput } from '../values/plaintext.ts';
import { checkServiceKey } from '../values/service-key.ts';

/**
 * How a company answers a request row: with a value that stands until it gives another, once (rows that ask for a one-time
 * answer get one whatever is said), or, when answers are replaced, by what stands there now.
 */
export type CustomerAnswer = { value: ValueInput; oneTime?: boolean } | { keep: true };
/** By the service's request slug. */
export type CustomerAnswers = Readonly<Record<string, CustomerAnswer>>;

/** What is needed to answer: the rows, what is answered already, the key to seal to. */
export type CustomerAnswerContext = {
  requestFields: readonly CustomerRequestField[];
  mappings?: readonly { request_field_id: string; slug: string }[];
  service: { public_key: string; public_key_sha256: string };
  registry: FieldTypeRegistry;
};

/**
 * Seals every answer to the service's key.
 *
 * @throws InvalidRequestError `sdk.answer_unknown` for a slug the service does not ask for; ValueError for a value that is
 * not valid for the row; TransportError `sdk.key_mismatch`
 */
export async function customerDecisions(
  answers: CustomerAnswers,
  context: CustomerAnswerContext,
): Promise<CustomerDecision[]> {
  await checkServiceKey(context.service);
  const rows = new Map(context.requestFields.map((row) => [row.slug, row]));
  // An answer outlives that its row is asked of companies.
  const answered = new Map(context.mappings?.map((mapping) => [mapping.slug, mapping.request_field_id]));
  return Promise.all(
    Object.entries(answers).map(async ([slug, answer]): Promise<CustomerDecision> => {
      if ('keep' in answer) {
        const id = answered.get(slug) ?? rows.get(slug)?.id;
        if (id !== undefined) return { request_field_id: id, kind: 'keep' };
      } else {
        const row = rows.get(slug);
        if (row) return decisionOf(row, answer, context);
      }
      const message = `The service does not ask companies for ${slug}.`;
      throw new InvalidRequestError({ errorKey: 'sdk.answer_unknown', message });
    }),
  );
}

async function decisionOf(
  row: CustomerRequestField,
  { value, oneTime = false }: { value: ValueInput; oneTime?: boolean },
  { service, registry }: CustomerAnswerContext,
): Promise<CustomerDecision> {
  const plaintext = plaintextOf(row.type, value, registry);
  return {
    request_field_id: row.id,
    kind: oneTime || row.one_time ? 'one_time' : 'typed',
    value: serializeWrapper(await sealValue(plaintext, service.public_key)),
  };
}
