import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { EmptyState, PageTitle } from '../../parts/frame.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { useMerged, useRead } from '../../parts/read.ts';
import { TextLink } from '../../parts/text-link.tsx';
import { Unlock } from '../../parts/unlock.tsx';
import { connection } from '../../platform/connections.ts';
import { type Message, markRead, PAGE_SIZE, type Partner, page, send } from '../../platform/messages.ts';
import { type SignedIn, useSession } from '../../platform/session.ts';
import { useSignals } from '../../platform/signals.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useText } from '../../text/index.tsx';
import { Composer } from './composer.tsx';
import { MessageRow } from './message-row.tsx';
import classes from './messages.module.css';
import { newestUnread, type Shown, withNewest, withOlder, withSent } from './thread.ts';

const route = getRouteApi('/me/messages/$connectionId');

/** What one service and the person wrote to each other. */
export function ThreadPage() {
  const { connectionId } = route.useParams();
  return (
    <MeFrame>
      <Opened key={connectionId} connectionId={connectionId} />
    </MeFrame>
  );
}

function Opened({ connectionId }: { connectionId: string }) {
  const { t } = useText();
  const session = useSession();
  const read = useCallback((): Promise<Partner> => connection(connectionId), [connectionId]);
  const { found: whom, error, load } = useRead(read);
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <TextLink to="/me/messages" size="sm">
          {t('messages.all')}
        </TextLink>
        <PageTitle>{whom?.company.display_name ?? t('messages.title')}</PageTitle>
        {whom && (
          <Text size="sm" c="dimmed">
            {t('messages.service', { service: whom.service.name })} ·{' '}
            {t('messages.sealed', { company: whom.company.display_name })}
          </Text>
        )}
      </Stack>
      <Problem error={error} retry={load} />
      {session.state === 'in' && session.keys === undefined && <Unlock />}
      {session.state === 'in' && session.keys !== undefined && whom && (
        <Thread session={session} whom={whom} />
      )}
    </Stack>
  );
}

function Thread({ session, whom }: { session: SignedIn; whom: Partner }) {
  const { t } = useText();
  const { shown, error, refresh, older, sent } = useThread(session, whom.connection_id);
  const olderAct = useAct();
  const end = useRef<HTMLDivElement>(null);
  const newest = shown?.messages[0]?.id;
  useEffect(() => {
    if (newest !== undefined) end.current?.scrollIntoView({ block: 'end' });
  }, [newest]);
  const unread = shown && newestUnread(shown);
  return (
    <>
      {error !== undefined && <Problem error={error} retry={refresh} />}
      {shown === undefined && error === undefined && <Skeleton h={160} radius={8} />}
      {shown?.messages.length === 0 && (
        <EmptyState title={t('messages.empty')}>
          <Text c="dimmed">{t('messages.empty.text', { company: whom.company.display_name })}</Text>
        </EmptyState>
      )}
      {shown?.hasOlder && (
        <Button variant="default" loading={olderAct.busy} onClick={() => olderAct.run(older)}>
          {t('messages.older')}
        </Button>
      )}
      <Problem error={olderAct.error} />
      <div
        role="log"
        aria-label={t('messages.log', { company: whom.company.display_name })}
        className={classes.log}
      >
        {shown?.messages.toReversed().map((message) => (
          <MessageRow
            key={message.id}
            message={message}
            company={whom.company.display_name}
            // Read is what the person has seen: a hidden page reads nothing.
            {...(message.id === unread?.id && {
              seen: async () => {
                await markRead(session, whom.connection_id, message.id);
                refreshWaiting();
                await refresh();
              },
            })}
          />
        ))}
      </div>
      <Composer whom={whom} send={async (text) => sent(await send(session, whom.connection_id, text))} />
      <div ref={end} />
    </>
  );
}

/** The messages that are shown, and what changes them. */
function useThread(session: SignedIn, connectionId: string) {
  const read = useCallback(() => page(session, connectionId), [session, connectionId]);
  const { found: shown, error, load: refresh, change } = useMerged(read, withNewestPage, connectionId);
  useSignals((kind, id) => (kind === undefined || (kind === 'message' && id === connectionId)) && refresh());
  const older = async () => {
    const messages = await page(session, connectionId, shown?.messages.at(-1)?.id);
    change((before) => before && withOlder(before, messages));
  };
  const sent = (message: Message) => change((before) => withSent(before, message));
  return { shown, error, refresh, older, sent };
}

const withNewestPage = (newest: readonly Message[], before: Shown | undefined) =>
  withNewest(before, newest, PAGE_SIZE);
