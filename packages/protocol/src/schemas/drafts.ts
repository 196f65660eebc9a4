import { type Static, Type } from 'typebox';
import { Exact, Time, WrapperInput } from './common.ts';

export const DraftName = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,100}$',
  description: 'what it is a draft of, as the device names it',
});
/** A text that was begun, sealed on the device. */
export const Draft = Type.Object({
  name: DraftName,
  value: Type.String({ description: 'a wrapper, as JSON text' }),
  updated_at: Time,
  expires_at: Time,
});
export type Draft = Static<typeof Draft>;
export const DraftList = Type.Object({ items: Type.Array(Draft) });
export const PutDraftRequest = Exact({ value: WrapperInput });
export type PutDraftRequest = Static<typeof PutDraftRequest>;
