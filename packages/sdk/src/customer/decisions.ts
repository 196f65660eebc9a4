import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerDecision, CustomerRequestField } from '@symbolon/protocol';
import { type Asked, decisionsOf, type Remove, sealedFor } from '../customer-side/decisions.ts';
import { plaintextOf, type ValueInput } from '../values/plaintext.ts';

/**
 * How a company answers a request row: with a value that stands until it gives another, or once. Rows that ask for a
 * one-time answer always get one. The value of a row of a file type is the text of `buildPhotoEnvelope`, `buildFileEnvelope` or
 * `buildPagesEnvelope`.
 */
export type CustomerAnswer = { value: ValueInput; oneTime?: boolean } | Remove;
/** By the service's request slug. */
export type CustomerAnswers = Readonly<Record<string, CustomerAnswer>>;

/** Seals a company's answers. @throws ValueError for a value that is not valid for its row; and as `decisionsOf` */
export function customerDecisions(
  answers: CustomerAnswers,
  asked: Asked<CustomerRequestField>,
  {
    registry,
    upload,
  }: {
    registry: FieldTypeRegistry;
    /** Seals and uploads a file; gives the id of the upload. */
    upload: (envelope: string) => Promise<string>;
  },
): Promise<CustomerDecision[]> {
  return decisionsOf(
    answers,
    asked,
    async (row, { value, oneTime = false }: Exclude<CustomerAnswer, Remove>): Promise<CustomerDecision> => {
      const text = plaintextOf(row.type, value, registry);
      return {
        request_field_id: row.id,
        kind: oneTime || row.one_time ? 'one_time' : 'typed',
        ...(registry.isBinary(row.type)
          ? { upload_id: await upload(text) }
          : { value: await sealedFor(asked.service, text) }),
      };
    },
  );
}
