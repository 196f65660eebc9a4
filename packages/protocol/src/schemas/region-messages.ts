import { type Static, Type } from 'typebox';
import { Nullable, Time } from './common.ts';

/** A message for another region that waits; for operators. */
export const AdminMessage = Type.Object({
  seq: Type.Integer({ description: 'its number' }),
  region: Type.String({ description: 'the one it is for' }),
  lane: Type.Integer({ description: 'messages of one lane arrive in their order' }),
  kind: Type.String(),
  subject: Type.String({ description: 'id of the person or company that it is about' }),
  created_at: Time,
  waiting: Type.Integer({
    description: 'how many wait in its lane, with itself; 10001 for more than ten thousand',
  }),
});
export type AdminMessage = Static<typeof AdminMessage>;
export const AdminMessageList = Type.Object({ items: Type.Array(AdminMessage) });

export const AdminMessageWithBody = Type.Object({
  ...AdminMessage.properties,
  body: Type.Unknown({ description: 'as the other region gets it' }),
});
export type AdminMessageWithBody = Static<typeof AdminMessageWithBody>;

export const AdminMessageTry = Type.Object({
  arrived: Type.Boolean(),
  failed_key: Nullable(
    Type.String({ description: 'why the other region cannot apply it: an error key; its log has the rest' }),
  ),
});
export type AdminMessageTry = Static<typeof AdminMessageTry>;
