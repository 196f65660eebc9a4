import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Exact } from './common.ts';

const key = {
  share_code: Type.String(),
  public_key: Type.String({ description: 'base64 SPKI DER' }),
  public_key_sha256: Type.String({ description: 'lower-case hex SHA-256 of the DER' }),
};
export const PublicKey = Type.Object(key);
export type PublicKey = Static<typeof PublicKey>;
export const ServicePublicKey = Type.Object({
  ...key,
  company_code: Type.String(),
  service_code: Type.String(),
});
export type ServicePublicKey = Static<typeof ServicePublicKey>;
export const KeyBatchRequest = Exact({
  user_ids: Type.Array(Type.String({ maxLength: 64 }), { maxItems: limits.keysBatchMost }),
});
export const KeyBatch = Type.Object({ keys: Type.Record(Type.String(), Type.String()) });
export type KeyBatch = Static<typeof KeyBatch>;
