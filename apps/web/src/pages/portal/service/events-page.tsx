import { Group, NativeSelect } from '@mantine/core';
import type { RecentEvent, Service } from '@symbolon/protocol';
import { eventNames } from '@symbolon/protocol/constants';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Loaded } from '../../../parts/loaded.tsx';
import { FeedBehind } from '../../../parts/portal/feed-behind.tsx';
import { LastUse } from '../../../parts/portal/last-use.tsx';
import { LogList } from '../../../parts/portal/log-list.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { type EventsWanted, LIVE_MS, recentEvents } from '../../../platform/portal/logs.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { dataClientQuery } from '../../../platform/portal/services.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { Search } from '../../../ui/search.tsx';
import { ServiceFrame } from './service-frame.tsx';

const HERE = '/portal/services/$serviceId/events';

export function EventsPage() {
  return <ServiceFrame>{(service) => <Events key={service.id} service={service} />}</ServiceFrame>;
}

/** What is raised about a service, as it happens, and how far its backend has come. */
function Events({ service: { id, name } }: { service: Service }) {
  const { t } = usePortalText();
  const { event = '', code = '' } = useSearch({ from: HERE });
  const navigate = useNavigate();
  const go = (next: EventsWanted) =>
    navigate({
      to: HERE,
      params: { serviceId: id },
      search: { event: next.event || undefined, code: next.code || undefined },
      replace: true,
    });
  const isAll = event === '' && code === '';
  return (
    <Page
      back={
        <BackLink to="/portal/services/$serviceId" params={{ serviceId: id }}>
          {name}
        </BackLink>
      }
      title={t('events.title')}
      lead={t('events.lead')}
    >
      <Facts
        facts={[
          [t('events.feed'), <FeedBehind key="feed" serviceId={id} everyMs={LIVE_MS} />],
          [t('events.client'), <Drainer key="client" serviceId={id} />],
        ]}
      />
      <Group align="end">
        <Search label={t('events.search')} value={code} change={(next) => go({ event, code: next })} />
        <NativeSelect
          label={t('events.event')}
          autoComplete="off"
          data={[{ value: '', label: t('events.event.all') }, ...eventNames]}
          value={event}
          onChange={({ currentTarget: { value } }) => go({ event: value, code })}
        />
      </Group>
      <LogList
        key={`${event} ${code}`}
        label={t('events.title')}
        list={recentEvents(id, { event, code })}
        what={(each) => each.event}
        others={[
          { key: 'when', title: t('audit.when'), cell: ({ at }) => <When at={at} /> },
          {
            key: 'customer',
            title: t('events.customer'),
            cell: nameOf,
            whole: (each) => <Customer serviceId={id} event={each} />,
          },
          { key: 'slug', title: t('events.slug'), cell: ({ slug }) => slug },
          { key: 'id', title: t('events.id'), wide: true, cell: (each) => each.id },
        ]}
        none={t(isAll ? 'events.none' : 'events.none.found')}
        noneText={t(isAll ? 'events.none.text' : 'events.none.found.text')}
        csv={(events) => ({
          name: 'events',
          heads: ['id', 'at', 'event', 'customer_type', 'share_code', 'person_user_id', 'slug'],
          rows: events.map((each) => [
            ...[each.id, each.at, each.event, each.customer_type, each.share_code ?? ''],
            ...[each.person_user_id, each.slug ?? ''],
          ]),
        })}
      />
      <SameByApi {...sameCalls.events(id)} />
    </Page>
  );
}

const nameOf = ({ share_code: code, person_user_id: userId }: RecentEvent) => code ?? userId;

function Customer({ serviceId, event }: { serviceId: string; event: RecentEvent }) {
  const { connection_id: connectionId } = event;
  if (connectionId === null) return nameOf(event);
  return (
    <TextLink to="/portal/services/$serviceId/customers/$connectionId" params={{ serviceId, connectionId }}>
      {nameOf(event)}
    </TextLink>
  );
}

/** The client by which the backend drains the feed, and when it was last seen. */
function Drainer({ serviceId }: { serviceId: string }) {
  const { t } = usePortalText();
  return (
    <Loaded of={useRead(dataClientQuery(serviceId))} height={18}>
      {(client) =>
        client === null ? (
          t('events.client.none')
        ) : (
          <>
            <code>{client.client_id}</code>
            <LastUse clientId={client.client_id} />
          </>
        )
      }
    </Loaded>
  );
}
