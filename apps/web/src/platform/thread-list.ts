import type { MessageThread } from '@symbolon/protocol';
import { call } from './inner/api.ts';
import { keys, type Query } from './queries.ts';

export type Thread = MessageThread;

/** The person's conversations. What opens a message is large, and pages that list them do without it. */
export const threads: Query<Thread[]> = {
  key: keys.threads,
  read: async () => (await call<{ threads: Thread[] }>('GET', '/api/person/messages')).threads,
};
