import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Base64, Exact, Nullable } from './common.ts';

const counter = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'grows with every list',
});
const Iv = Type.String({ minLength: 16, maxLength: 16, description: '12 bytes, base64' });
const Data = Base64(limits.pinsMost);

/** Fingerprints of keys that an account has confirmed: one list under AES-256-GCM, which only its devices open. */
export const Pins = Type.Object({ counter, iv: Nullable(Iv), data: Nullable(Data) });
export type Pins = Static<typeof Pins>;
export const PutPinsRequest = Exact({
  counter: Type.Integer({ ...counter, minimum: 1 }),
  iv: Iv,
  data: Data,
});
export type PutPinsRequest = Static<typeof PutPinsRequest>;
