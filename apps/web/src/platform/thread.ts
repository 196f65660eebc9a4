import type { Message } from './messages.ts';

/** Of a page of a thread. */
export const PAGE_SIZE = 50;
/** Characters of a message: what is larger is a document. */
export const MESSAGE_MOST = 10_000;

/** What is shown of a thread: newest first, as it is read. */
export type Shown = {
  readonly messages: readonly Message[];
  /** Whether there may be older ones. */
  readonly hasOlder: boolean;
};

/** Takes the newest page again: what is new, and what was read since. Older pages that are shown stay. */
export function withNewest(shown: Shown | undefined, newest: readonly Message[], pageSize: number): Shown {
  const isFull = newest.length >= pageSize || lengthOf(newest) > ENDS_EARLY;
  const oldest = newest.at(-1);
  const known = shown?.messages ?? [];
  const from = known.findIndex(({ id }) => id === oldest?.id);
  // More came than a page holds, or the thread is new here: what is between is read again by "older".
  if (from === -1) return { messages: markedRead(newest), hasOlder: isFull };
  const older = known.slice(from + 1);
  return { messages: markedRead([...newest, ...older]), hasOlder: shown?.hasOlder ?? isFull };
}

/** A page of more than 1 MiB ends early: with so many characters it may have. */
const ENDS_EARLY = 190_000;
const lengthOf = (messages: readonly Message[]) =>
  messages.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);

/** Adds a page of older messages. */
export function withOlder(shown: Shown, older: readonly Message[]): Shown {
  const known = new Set(shown.messages.map(({ id }) => id));
  const fresh = older.filter(({ id }) => !known.has(id));
  // A page of the platform may end early; only an empty one is the end.
  return { messages: markedRead([...shown.messages, ...fresh]), hasOlder: older.length > 0 };
}

/** Adds what was sent here, if a page has not brought it already. */
export function withSent(shown: Shown | undefined, sent: Message): Shown {
  const { messages = [], hasOlder = false } = shown ?? {};
  if (messages.some(({ id }) => id === sent.id)) return { messages, hasOlder };
  return { messages: [sent, ...messages], hasOlder };
}

/** The newest message of the service, when the person has not acknowledged it. */
export function newestUnread({ messages }: Shown): Message | undefined {
  return messages.find(({ direction, readAt }) => direction === 'inbound' && readAt === null);
}

/** A message that was read says so of all that were sent before it. */
function markedRead(messages: readonly Message[]): Message[] {
  let readAt: string | null = null;
  return messages.map((message) => {
    if (message.direction !== 'outbound') return message;
    readAt = message.readAt ?? readAt;
    return { ...message, readAt };
  });
}
