import { sealValue, serializeWrapper } from '@symbolon/crypto';
import { InvalidRequestError } from '../http/errors.ts';
import type { Asking } from '../known-keys/confirmed-keys.ts';

/** Takes the answer of a row away, when answers are changed. */
export type Remove = { remove: true };

export type RequestRow = { id: string; slug: string };

/** What a service asks for, and the key that answers are sealed to. */
export type Asked<Row> = Asking & {
  request_fields: readonly Row[];
  /** The answers that exist already. */
  mappings?: readonly { request_field_id: string; slug: string }[];
};

type RemoveDecision = { request_field_id: string; kind: 'remove' };

/**
 * The decisions that answers by slug stand for.
 *
 * @param decide seals one answer for its row
 * @throws InvalidRequestError `sdk.answer_unknown` for a slug the service does not ask for
 */
export async function decisionsOf<Row extends RequestRow, Answer extends object, Decision>(
  answers: Readonly<Record<string, Answer | Remove>>,
  asked: Asked<Row>,
  decide: (row: Row, answer: Answer) => Promise<Decision>,
): Promise<(Decision | RemoveDecision)[]> {
  const rows = new Map(asked.request_fields.map((row) => [row.slug, row]));
  // A row that is no longer asked of this kind of customer may still be answered.
  const answered = new Map(asked.mappings?.map((mapping) => [mapping.slug, mapping.request_field_id]));
  return Promise.all(
    Object.entries(answers).map(([slug, answer]): Promise<Decision> | RemoveDecision => {
      const row = rows.get(slug);
      if (!('remove' in answer)) {
        if (row) return decide(row, answer);
      } else {
        const id = answered.get(slug) ?? row?.id;
        if (id !== undefined) return { request_field_id: id, kind: 'remove' };
      }
      throw unknownAnswer(`The service does not ask for ${slug}.`);
    }),
  );
}

/** The plaintext sealed to the service, as it is sent. */
export async function sealedFor(service: { public_key: string }, plaintext: string): Promise<string> {
  return serializeWrapper(await sealValue(plaintext, service.public_key));
}

export function unknownAnswer(message: string): InvalidRequestError {
  return new InvalidRequestError({ errorKey: 'sdk.answer_unknown', message });
}
