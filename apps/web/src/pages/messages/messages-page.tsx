import { Badge, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { PageHead } from '../../parts/frame.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { When } from '../../parts/when.tsx';
import { connections } from '../../platform/connections.ts';
import { type Thread, threads } from '../../platform/messages.ts';
import { useRead } from '../../platform/read.ts';
import { useText } from '../../text/index.tsx';
import classes from './messages.module.css';

/** With whom the person talks. */
export function MessagesPage() {
  return (
    <MeFrame>
      <Threads />
    </MeFrame>
  );
}

function Threads() {
  const { t } = useText();
  const list = useRead(threads);
  return (
    <Stack gap="lg">
      <PageHead title={t('messages.title')} lead={t('messages.lead')} />
      <NewThread />
      <LoadedList of={list} none={t('messages.none')} noneText={t('messages.none.text')} />
      <Stack component="ul" gap="sm" className={classes.list} aria-label={t('messages.title')}>
        {list.found?.map((thread) => (
          <li key={thread.connection_id}>
            <ThreadRow thread={thread} />
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

function ThreadRow({ thread }: { thread: Thread }) {
  const { t, count } = useText();
  const { company, service, connection_id: connectionId, last_at: last, unread } = thread;
  return (
    <Paper withBorder p="md" className={classes.row}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2} miw={0}>
          <Title order={2} className={classes.name}>
            <TextLink
              to="/me/messages/$connectionId"
              params={{ connectionId }}
              className={classes.cover ?? ''}
            >
              {company.display_name}
            </TextLink>
          </Title>
          <Text size="sm" c="dimmed">
            {t('messages.service', { service: service.name })}
            {last !== null && ' · '}
            {last !== null && <When at={last} />}
          </Text>
        </Stack>
        {unread > 0 && (
          <Badge tt="none" miw="fit-content">
            {count('messages.unread', unread)}
          </Badge>
        )}
      </Group>
    </Paper>
  );
}

/** Chooses a service that the person is connected to. */
function NewThread() {
  const { t } = useText();
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
