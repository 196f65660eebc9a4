import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PageHead } from '../../parts/frame.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import rows from '../../parts/rows.module.css';
import { When } from '../../parts/when.tsx';
import { type Connection, connections } from '../../platform/connections.ts';
import { useRead } from '../../platform/read.ts';
import { useText } from '../../text/index.tsx';

/** Shorter lists are read faster than searched. */
const SEARCHED_FROM = 10;

/** With whom the person shares. */
export function ConnectionsPage() {
  return (
    <MeFrame>
      <Connections />
    </MeFrame>
  );
}

function Connections() {
  const { t } = useText();
  const list = useRead(connections);
  return (
    <Stack gap="lg">
      <PageHead title={t('connections.title')} lead={t('connections.lead')} />
      <LoadedList of={list} none={t('connections.none')} noneText={t('connections.none.text')}>
        {(found) => <Searched list={found} />}
      </LoadedList>
    </Stack>
  );
}

function Searched({ list }: { list: readonly Connection[] }) {
  const { t } = useText();
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLocaleLowerCase();
  const shown = list.filter(({ company, service }) =>
    [company.display_name, service.name].some((name) => name.toLocaleLowerCase().includes(wanted)),
  );
  return (
    <>
      {list.length > SEARCHED_FROM && (
        <TextInput
          type="search"
          autoComplete="off"
          label={t('connections.search')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      <Stack gap="xs" aria-live="polite">
        {shown.length === 0 && <Text c="dimmed">{t('connections.notFound', { query })}</Text>}
        {shown.length > 0 && (
          <ul className={rows.rows}>
            {shown.map((connection) => (
              <li key={connection.connection_id}>
                <Row connection={connection} />
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </>
  );
}

function Row({ connection }: { connection: Connection }) {
  const { t, count } = useText();
  const { connection_id: connectionId, company, service, connected_at: since, mappings } = connection;
  const live = mappings.filter(({ kind }) => kind === 'live').length;
  const once = mappings.length - live;
  const shared = [
    ...(live > 0 ? [count('connections.live', live)] : []),
    ...(once > 0 ? [count('connections.once', once)] : []),
  ];
  return (
    <Link to="/me/connections/$connectionId" params={{ connectionId }} className={rows.row ?? ''}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Text component="span" fw={600} className={rows.name}>
          {company.display_name}
        </Text>
        {connection.pending_consent !== null && (
          <Badge color="orange" variant="light" tt="none" miw="fit-content">
            {t('connections.asksMore')}
          </Badge>
        )}
      </Group>
      <Text component="span" display="block" size="sm" c="dimmed" className={rows.name}>
        {service.name} · {t('connections.since')} <When at={since} />
      </Text>
      <Text component="span" display="block" size="sm" c="dimmed">
        {shared.length > 0 ? shared.join(' · ') : t('connections.nothing')}
      </Text>
    </Link>
  );
}
