import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CompanyAvatar } from '../../parts/company-avatar.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { ToConnect } from '../../parts/next-step.tsx';
import { When } from '../../parts/when.tsx';
import { type Enrolment, enrolments } from '../../platform/approvals.ts';
import { type Connection, connections } from '../../platform/connections.ts';
import { useRead } from '../../platform/read.ts';
import { openRequests } from '../../platform/requests.ts';
import { threads } from '../../platform/thread-list.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { List, RowLink } from '../../ui/list.tsx';
import { Search } from '../../ui/search.tsx';
import { Status } from '../../ui/status.tsx';

/** Shorter lists are read faster than searched. */
const SEARCHED_FROM = 8;

/** The companies that the person has to do with: those that want to connect, those that are connected, those that ask for approvals. */
export function CompanyList({ here }: { here?: string }) {
  const { t } = useInsideText();
  const list = useRead(connections);
  return (
    <Stack gap="lg">
      <Requests />
      <LoadedList
        of={list}
        none={t('connections.none')}
        noneText={t('connections.none.text')}
        noneAct={<ToConnect />}
      >
        {(found) => <Searched list={found} here={here} />}
      </LoadedList>
      <Approving />
    </Stack>
  );
}

function Searched({ list, here }: { list: readonly Connection[]; here: string | undefined }) {
  const { t } = useInsideText();
  const [query, setQuery] = useState('');
  const unread = new Map(useRead(threads).found?.map((thread) => [thread.connection_id, thread.unread]));
  const wanted = query.trim().toLocaleLowerCase();
  const shown = list.filter(({ company, service }) =>
    [company.display_name, service.name].some((name) => name.toLocaleLowerCase().includes(wanted)),
  );
  return (
    <>
      {list.length > SEARCHED_FROM && (
        <Search label={t('connections.search')} value={query} change={setQuery} />
      )}
      <Stack gap="xs" aria-live="polite">
        {shown.length === 0 ? (
          <Text c="dimmed">{t('connections.notFound', { query })}</Text>
        ) : (
          <List label={t('place.companies')}>
            {[...Map.groupBy(shown, ({ company }) => company.company_user_id)].map(
              ([companyId, services]) => (
                <CompanyRow key={companyId} services={services} unread={unread} here={here} />
              ),
            )}
          </List>
        )}
      </Stack>
    </>
  );
}

/** A company, with all of its services that the person is connected to. It leads to the one where something waits. */
function CompanyRow(props: {
  services: readonly Connection[];
  unread: ReadonlyMap<string, number>;
  here: string | undefined;
}) {
  const { services, here } = props;
  const { t, count } = useInsideText();
  const unreadOf = ({ connection_id: id }: Connection) => props.unread.get(id) ?? 0;
  const first =
    services.find((each) => unreadOf(each) > 0) ??
    services.find((each) => each.pending_consent) ??
    services[0];
  if (first === undefined) return null;
  const { connection_id: connectionId, company } = first;
  const mappings = services.flatMap((each) => each.mappings);
  const live = mappings.filter(({ kind }) => kind === 'live').length;
  const once = mappings.length - live;
  const unread = services.reduce((sum, each) => sum + unreadOf(each), 0);
  const pending = services.some((each) => each.pending_consent);
  const isHere = services.some((each) => each.connection_id === here);
  const shared = [
    services.map(({ service }) => service.name).join(', '),
    ...(live > 0 ? [count('companies.live', live)] : []),
    ...(once > 0 ? [count('companies.once', once)] : []),
  ];
  return (
    <RowLink
      to="/me/connections/$connectionId"
      params={{ connectionId }}
      aria-current={isHere ? 'page' : undefined}
      parts={{
        leading: <CompanyAvatar company={company} />,
        title: company.display_name,
        detail: shared.join(' · '),
        trailing:
          unread > 0 ? (
            <Status tone="accent">{count('companies.new', unread)}</Status>
          ) : pending ? (
            <Status tone="warn">{t('connections.asksMore')}</Status>
          ) : undefined,
      }}
    />
  );
}

function Requests() {
  const { t } = useInsideText();
  const { found = [] } = useRead(openRequests);
  if (found.length === 0) return null;
  return (
    <Group title={t('companies.wants')}>
      <List>
        {found.map(({ request_id: requestId, company, service, created_at: at }) => (
          <RowLink
            key={requestId}
            to="/me/requests/$requestId"
            params={{ requestId }}
            parts={{
              leading: <CompanyAvatar company={company} />,
              title: company.display_name,
              detail: (
                <>
                  {service.name} · <When at={at} />
                </>
              ),
              trailing: <Status tone="accent">{t('companies.look')}</Status>,
            }}
          />
        ))}
      </List>
    </Group>
  );
}

/** The services that may ask for approvals. @param of one company alone */
export function Approving({ of }: { of?: Connection['company'] }) {
  const { t } = useInsideText();
  const { found: all = [] } = useRead(enrolments);
  const found = all.filter(({ company }) => of === undefined || company.user_id === of.company_user_id);
  if (found.length === 0) return null;
  return (
    <Group title={of ? t('companies.approving.of', { company: of.display_name }) : t('companies.approving')}>
      <List>
        {found.map((each) => (
          <EnrolmentRow key={each.enrollment_id} enrolment={each} />
        ))}
      </List>
    </Group>
  );
}

function EnrolmentRow({ enrolment: { company, service, created_at: at, muted } }: { enrolment: Enrolment }) {
  const { t } = useInsideText();
  return (
    <RowLink
      to="/me/enrolments"
      parts={{
        leading: <CompanyAvatar company={company} />,
        title: company.display_name,
        detail: (
          <>
            {service.name} · {t('enrolments.since')} <When at={at} />
          </>
        ),
        trailing: muted ? <Status>{t('companies.muted')}</Status> : undefined,
      }}
    />
  );
}
