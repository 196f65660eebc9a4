import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Message } from '../../platform/messages.ts';
import type { Query } from '../../platform/queries.ts';
import { useRead } from '../../platform/read.ts';
import { newestUnread, type Shown, withOlder, withSent } from '../../platform/thread.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../loaded.tsx';
import { Problem, useAct } from '../problem.tsx';
import { MessageRow, type Names } from './message-row.tsx';
import classes from './messages.module.css';

type Props = {
  query: Query<Shown>;
  names: Names;
  /** Whether it is all that the page is about: it begins at its end then. */
  startsAtEnd?: boolean;
  /** Said while nothing was written. */
  emptyText: string;
  /** Reads the page of those that are older than a message. */
  older: (before: string | undefined) => Promise<readonly Message[]>;
  /** Acknowledges all up to a message. Without it, the other side does not learn that they were read. */
  markRead?: (messageId: string) => Promise<unknown>;
  /** Where one writes. @param sent shows a message that was sent */
  composer?: (sent: (message: Message) => void) => ReactNode;
};

/** What two sides wrote to each other, and the place to write more. */
export function ThreadLog({
  query,
  names,
  startsAtEnd = false,
  emptyText,
  older,
  markRead,
  composer,
}: Props) {
  const { t } = useInsideText();
  const { change, ...read } = useRead(query);
  const { found: shown, load } = read;
  const showOlder = async () => {
    const messages = await older(shown?.messages.at(-1)?.id);
    change((before) => before && withOlder(before, messages));
  };
  const olderAct = useAct();
  const end = useRef<HTMLDivElement>(null);
  const newest = shown?.messages[0]?.id;
  const follows = useRef(startsAtEnd);
  useEffect(() => {
    if (newest === undefined) return;
    if (follows.current) end.current?.scrollIntoView({ block: 'end' });
    follows.current = true;
  }, [newest]);
  const unread = shown && markRead && newestUnread(shown);
  return (
    <>
      <Loaded of={read} height={160} />
      {shown?.messages.length === 0 && <Empty title={t('messages.empty')}>{emptyText}</Empty>}
      {shown?.hasOlder && (
        <Button variant="default" loading={olderAct.busy} onClick={() => olderAct.run(showOlder)}>
          {t('messages.older')}
        </Button>
      )}
      <Problem error={olderAct.error} />
      <div role="log" aria-label={t('messages.log', { company: names.other })} className={classes.log}>
        {shown?.messages.toReversed().map((message) => (
          <MessageRow
            key={message.id}
            message={message}
            names={names}
            // Read is what was seen: a hidden page reads nothing.
            {...(message.id === unread?.id && {
              seen: async () => {
                await markRead?.(message.id);
                await load();
              },
            })}
          />
        ))}
      </div>
      {composer?.((sent) => change((before) => withSent(before, sent)))}
      <div ref={end} />
    </>
  );
}
