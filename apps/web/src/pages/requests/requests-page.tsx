import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { useId } from 'react';
import { PageHead } from '../../parts/frame.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { useRead } from '../../platform/read.ts';
import {
  type Blocked,
  blockedServices,
  type ConnectRequest,
  openRequests,
  unblock,
} from '../../platform/requests.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useText } from '../../text/index.tsx';

const LinkButton = createLink(Button<'a'>);

/** Services that ask for a connection, and those that may not ask any more. */
export function RequestsPage() {
  return (
    <MeFrame>
      <Requests />
    </MeFrame>
  );
}

function Requests() {
  const { t } = useText();
  const open = useRead(openRequests);
  const blocked = useRead(blockedServices);
  return (
    <Stack gap="lg">
      <PageHead title={t('requests.title')} lead={t('requests.lead')} />
      <Stack gap="lg" aria-live="polite">
        <LoadedList of={open} none={t('requests.none')} noneText={t('requests.none.text')} />
        {open.found?.map((request) => (
          <Row key={request.request_id} request={request} />
        ))}
      </Stack>
      <Problem error={blocked.error} retry={blocked.load} />
      {blocked.found && blocked.found.length > 0 && (
        <Section title={t('requests.blocked')} lead={t('requests.blocked.text')}>
          {blocked.found.map((each) => (
            <BlockedRow key={each.service.id} blocked={each} unblocked={blocked.load} />
          ))}
        </Section>
      )}
    </Stack>
  );
}

function Row({ request }: { request: ConnectRequest }) {
  const { t } = useText();
  const heading = useId();
  const { company, service, created_at: at, request_id: requestId } = request;
  return (
    <Paper component="article" withBorder p="lg" aria-labelledby={heading}>
      <Stack gap="md">
        <Stack gap={4}>
          <Title order={2} id={heading}>
            {t('requests.asks', { company: company.display_name })}
          </Title>
          <Text size="sm" c="dimmed">
            {t('consent.service', { service: service.name })} · <When at={at} />
          </Text>
        </Stack>
        <Group>
          <LinkButton component="a" to="/me/requests/$requestId" params={{ requestId }}>
            {t('requests.look', { company: company.display_name })}
          </LinkButton>
        </Group>
      </Stack>
    </Paper>
  );
}

function BlockedRow({ blocked, unblocked }: { blocked: Blocked; unblocked: () => Promise<void> }) {
  const { t } = useText();
  const { busy, error, run } = useAct();
  const { company, service } = blocked;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Stack gap={0}>
          <Text>{company.display_name}</Text>
          <Text size="sm" c="dimmed">
            {t('consent.service', { service: service.name })}
          </Text>
        </Stack>
        <Button
          variant="default"
          loading={busy}
          onClick={() =>
            run(async () => {
              await unblock(blocked);
              refreshWaiting();
              await unblocked();
            })
          }
        >
          {t('requests.unblock', { service: service.name })}
        </Button>
      </Group>
      <Problem error={error} />
    </Stack>
  );
}
