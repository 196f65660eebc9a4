import { Stack, Text } from '@mantine/core';
import type { Inbox, InboxThread, Service } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { ChooseService } from '../../../parts/portal/choose-service.tsx';
import { marksOf, NewerOlder } from '../../../parts/portal/pager.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { useShownService } from '../../../parts/portal/service-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import {
  INBOX_VIEWS,
  type InboxView,
  inboxQuery,
  type ThreadOf,
  wholeInboxQuery,
} from '../../../platform/portal/inbox.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { type Read, useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Columns } from '../../../ui/columns.tsx';
import { List, RowLink } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { Tab, Tabs } from '../../../ui/tabs.tsx';
import { ThreadPage } from './thread-page.tsx';

const HERE = '/portal/messages';

export function InboxPage() {
  return (
    <PortalPage>
      <OfServices />
    </PortalPage>
  );
}

/** The service, what is shown of it and the thread that is open stand in the address. */
function OfServices() {
  const { t } = usePortalText();
  const { service: wanted, all, view: asked, with: connectionId, way } = useSearch({ from: HERE });
  const navigate = useNavigate();
  const { list, found, service } = useShownService(wanted);
  const isAll = found.length > 1 && (all !== undefined || wanted === undefined);
  const view = INBOX_VIEWS.find((each) => each === asked) ?? 'open';
  const threads =
    service &&
    (isAll ? (
      <AllThreads key={view} found={found} view={view} here={connectionId} />
    ) : (
      <Threads key={`${service.id} ${view}`} service={service} view={view} here={connectionId} way={way} />
    ));
  if (service !== undefined && connectionId !== undefined)
    return (
      <Columns title={t('inbox.place')} list={threads}>
        <ThreadPage
          key={connectionId}
          service={service}
          connectionId={connectionId}
          list={{ view, way, all: isAll ? 'yes' : undefined }}
        />
      </Columns>
    );
  return (
    <Page
      title={t('inbox.title')}
      lead={t('inbox.lead')}
      aside={
        service && (
          <TextLink to="/portal/messages/everyone" search={{ service: service.id }}>
            {t('everyone.title')}
          </TextLink>
        )
      }
    >
      <LoadedList of={list} none={t('access.none')} noneText={t('access.none.text')} height={300}>
        {() =>
          service && (
            <>
              {found.length > 1 && (
                <ChooseService
                  found={found}
                  chosen={isAll ? undefined : service}
                  all={t('inbox.every')}
                  choose={(id) =>
                    navigate({ to: HERE, search: { service: id || undefined, view }, replace: true })
                  }
                />
              )}
              {threads}
              <SameByApi {...sameCalls.inbox(service.id)} />
            </>
          )
        }
      </LoadedList>
    </Page>
  );
}

/** What all services have, the latest first. More of one is on its own list. */
function AllThreads({
  found,
  view,
  here,
}: {
  found: readonly Service[];
  view: InboxView;
  here: string | undefined;
}) {
  const { t } = usePortalText();
  const inbox = useRead(wholeInboxQuery(found, view));
  return (
    <ThreadList
      inbox={inbox}
      view={view}
      row={({ thread, service }: ThreadOf) => (
        <ThreadRow
          key={thread.connection_id}
          thread={thread}
          of={service.name}
          search={{ service: service.id, all: 'yes', view, with: thread.connection_id }}
          isHere={thread.connection_id === here}
        />
      )}
    >
      {inbox.found?.hasMore && (
        <Text size="sm" c="dimmed">
          {t('inbox.every.more')}
        </Text>
      )}
    </ThreadList>
  );
}

/** Threads under the views of them, and what stands below. */
function ThreadList<Item>({
  inbox,
  view,
  serviceId,
  row,
  children,
}: {
  inbox: Omit<Read<Pick<Inbox, 'mine' | 'open'> & { readonly threads: readonly Item[] }>, 'change'>;
  view: InboxView;
  /** The service that the views stay with. */
  serviceId?: string;
  row: (thread: Item) => ReactNode;
  children: ReactNode;
}) {
  const { t } = usePortalText();
  return (
    <Stack gap="md">
      <Views view={view} counts={inbox.found} search={{ ...(serviceId && { service: serviceId }) }} />
      <LoadedList
        of={{ ...inbox, found: inbox.found?.threads }}
        none={t('inbox.none')}
        noneText={t(`inbox.none.${view}`)}
        height={300}
      >
        {(threads) => <List label={t('inbox.place')}>{threads.map(row)}</List>}
      </LoadedList>
      {children}
    </Stack>
  );
}

function Views({
  view,
  counts,
  search,
}: {
  view: InboxView;
  counts: Pick<Inbox, 'mine' | 'open'> | undefined;
  search: { service?: string };
}) {
  const { t } = usePortalText();
  return (
    <Tabs label={t('inbox.views')}>
      {INBOX_VIEWS.map((each) => (
        <Tab key={each} to={HERE} search={{ ...search, view: each }} isHere={each === view}>
          {[t(`inbox.view.${each}`), countOf(counts, each)].join(' ').trim()}
        </Tab>
      ))}
    </Tabs>
  );
}

function Threads(props: {
  service: Service;
  view: InboxView;
  here: string | undefined;
  way: string | undefined;
}) {
  const { service, view, here, way } = props;
  const navigate = useNavigate();
  const { before, ways } = marksOf(way, (next) =>
    navigate({ to: HERE, search: { service: service.id, view, with: here, way: next } }),
  );
  const inbox = useRead(inboxQuery(service.id, { view, before }));
  return (
    <ThreadList
      inbox={inbox}
      view={view}
      serviceId={service.id}
      row={(thread: InboxThread) => (
        <ThreadRow
          key={thread.connection_id}
          thread={thread}
          search={{ service: service.id, view, with: thread.connection_id, way }}
          isHere={thread.connection_id === here}
        />
      )}
    >
      <NewerOlder {...ways(inbox.found?.next)} />
    </ThreadList>
  );
}

function countOf(inbox: Pick<Inbox, 'mine' | 'open'> | undefined, view: InboxView): string {
  if (inbox === undefined || view === 'done') return '';
  const count = inbox[view];
  // From there on they are not counted.
  const most = limits.inboxCountMost;
  return count < most ? String(count) : `${most - 1}+`;
}

function ThreadRow({
  thread,
  of,
  search,
  isHere,
}: {
  thread: InboxThread;
  /** The name of its service, where a list has several. */
  of?: string;
  search: { service: string; all?: string; view: InboxView; with: string; way?: string | undefined };
  isHere: boolean;
}) {
  const { t, count } = usePortalText();
  const { display_name: name, last_at: last, last_direction: direction, unread, assigned_to: by } = thread;
  return (
    <RowLink
      to={HERE}
      search={search}
      aria-current={isHere ? 'page' : undefined}
      parts={{
        leading: <Avatar name={name} letters={thread.customer_type === 'person' ? 2 : 1} />,
        title: name,
        detail: (
          <>
            {t(direction === 'inbound' ? 'inbox.theirs' : 'inbox.ours')} · <When at={last} />
            {of !== undefined && <> · {of}</>}
            {by !== null && <> · {by.name}</>}
          </>
        ),
        trailing: unread > 0 ? <Status tone="accent">{count('inbox.unread', unread)}</Status> : undefined,
      }}
    />
  );
}
