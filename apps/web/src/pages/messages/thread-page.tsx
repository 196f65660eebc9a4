import { Button, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { EmptyState, PageTitle } from '../../parts/frame.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { Unlock } from '../../parts/unlock.tsx';
import { connectionQuery } from '../../platform/connections.ts';
import { markRead, type Partner, page, send, threadQuery } from '../../platform/messages.ts';
import { useRead } from '../../platform/read.ts';
import { type SignedIn, useSession } from '../../platform/session.ts';
import { newestUnread, withOlder, withSent } from '../../platform/thread.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useText } from '../../text/index.tsx';
import { Composer } from './composer.tsx';
import { MessageRow } from './message-row.tsx';
import classes from './messages.module.css';

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
  const { found: whom, error, load } = useRead(connectionQuery(connectionId));
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
  const { change, ...read } = useRead(threadQuery(session, whom.connection_id));
  const { found: shown, load } = read;
  const older = async () => {
    const messages = await page(session, whom.connection_id, shown?.messages.at(-1)?.id);
    change((before) => before && withOlder(before, messages));
  };
  const olderAct = useAct();
  const end = useRef<HTMLDivElement>(null);
  const newest = shown?.messages[0]?.id;
  useEffect(() => {
    if (newest !== undefined) end.current?.scrollIntoView({ block: 'end' });
  }, [newest]);
  const unread = shown && newestUnread(shown);
  return (
    <>
      <Loaded of={read} height={160} />
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
                await load();
              },
            })}
          />
        ))}
      </div>
      <Composer
        whom={whom}
        send={async (text) => {
          const sent = await send(session, whom.connection_id, text);
          change((before) => withSent(before, sent));
        }}
      />
      <div ref={end} />
    </>
  );
}
