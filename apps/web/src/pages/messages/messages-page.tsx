import { Select } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { CompanyAvatar } from '../../parts/company-avatar.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { ToCompanies } from '../../parts/next-step.tsx';
import { When } from '../../parts/when.tsx';
import { connections } from '../../platform/connections.ts';
import { useRead } from '../../platform/read.ts';
import { type Thread, threads } from '../../platform/thread-list.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { List, RowLink } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';

/** The person's conversations. */
export function MessagesPage() {
  return (
    <MeFrame>
      <Threads />
    </MeFrame>
  );
}

function Threads() {
  const { t } = useInsideText();
  const list = useRead(threads);
  return (
    <Page title={t('messages.title')} lead={t('messages.lead')}>
      <NewThread />
      <LoadedList
        of={list}
        none={t('messages.none')}
        noneText={t('messages.none.text')}
        noneAct={<ToCompanies />}
      >
        {(found) => (
          <List label={t('messages.title')}>
            {found.map((thread) => (
              <ThreadRow key={thread.connection_id} thread={thread} />
            ))}
          </List>
        )}
      </LoadedList>
    </Page>
  );
}

function ThreadRow({ thread }: { thread: Thread }) {
  const { t, count } = useInsideText();
  const { company, service, connection_id: connectionId, last_at: last, unread } = thread;
  return (
    <RowLink
      to="/me/messages/$connectionId"
      params={{ connectionId }}
      parts={{
        leading: <CompanyAvatar company={company} />,
        title: company.display_name,
        detail: (
          <>
            {t('messages.service', { service: service.name })}
            {last !== null && ' · '}
            {last !== null && <When at={last} />}
          </>
        ),
        trailing: unread > 0 ? <Status tone="accent">{count('messages.unread', unread)}</Status> : undefined,
      }}
    />
  );
}

/** Chooses a service that the person is connected to. */
function NewThread() {
  const { t } = useInsideText();
  const router = useRouter();
  // Threads that exist are shown without it.
  const { found: list = [] } = useRead(connections);
  if (list.length === 0) return null;
  return (
    <Select
      label={t('messages.new')}
      autoComplete="off"
      placeholder={t('messages.new.choose')}
      searchable
      value={null}
      nothingFoundMessage={t('messages.new.none')}
      data={list.map(({ connection_id, company, service }) => ({
        value: connection_id,
        label: `${company.display_name} · ${service.name}`,
      }))}
      onChange={(connectionId) => {
        if (connectionId !== null)
          router.navigate({ to: '/me/messages/$connectionId', params: { connectionId } });
      }}
    />
  );
}
