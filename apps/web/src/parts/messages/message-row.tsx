import { Group, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Message } from '../../platform/messages.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Status } from '../../ui/status.tsx';
import { When } from '../when.tsx';
import classes from './messages.module.css';

export type Names = { readonly own: string; readonly other: string };

type Props = {
  message: Message;
  /** Who the two sides are. */
  names: Names;
  /** Called once, when the reader has it before the eyes. */
  seen?: () => Promise<void>;
};

/** One message: who wrote it, what, when, and whether it was read. */
export function MessageRow({ message, names, seen }: Props) {
  const { t } = useInsideText();
  const { direction, text, broadcast, createdAt, readAt } = message;
  const isOwn = direction === 'outbound';
  const row = useSeen(seen);
  return (
    <article
      ref={row}
      className={classes.message}
      data-own={isOwn || undefined}
      data-broadcast={broadcast || undefined}
    >
      <VisuallyHidden>{isOwn ? names.own : names.other}</VisuallyHidden>
      {broadcast && (
        <Group gap="xs" mb={6}>
          <Status tone="warn">{t('messages.broadcast')}</Status>
          <Text size="sm" className={classes.facts}>
            {t('messages.broadcast.text')}
          </Text>
        </Group>
      )}
      {text === null ? (
        <Text fs="italic">{t('messages.unreadable')}</Text>
      ) : (
        <Text className={classes.text}>{text}</Text>
      )}
      <Text size="sm" mt={4} className={classes.facts}>
        <When at={createdAt} />
        {isOwn && ` · ${t(readAt === null ? 'messages.sent' : 'messages.read')}`}
      </Text>
    </article>
  );
}

/** Calls once the element is in the window of a visible page. */
function useSeen(seen: (() => Promise<void>) | undefined) {
  const row = useRef<HTMLElement>(null);
  const latest = useRef(seen);
  latest.current = seen;
  const isWatched = seen !== undefined;
  useEffect(() => {
    const element = row.current;
    if (!isWatched || element === null) return;
    let isInWindow = false;
    let isTold = false;
    const look = () => {
      if (isTold || !isInWindow || document.visibilityState !== 'visible') return;
      isTold = true;
      // A failed acknowledgement is repeated when the row is next in view.
      latest.current?.().catch(() => {
        isTold = false;
      });
    };
    const observer = new IntersectionObserver(([entry]) => {
      isInWindow = entry?.isIntersecting ?? false;
      look();
    });
    observer.observe(element);
    document.addEventListener('visibilitychange', look);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
    };
  }, [isWatched]);
  return row;
}
