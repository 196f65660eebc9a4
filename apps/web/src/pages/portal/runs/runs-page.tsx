import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { FlowRun } from '@symbolon/protocol';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { PortalPage } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { runName } from '../../../parts/run-name.ts';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { type FlowPlace, flowQuery } from '../../../platform/portal/flows.ts';
import { type RunPage, runsQuery } from '../../../platform/portal/runs.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { PageTitle } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Tab, Tabs } from '../../../ui/tabs.tsx';
import { CustomerNames } from './customer-names.tsx';
import { RunBadge } from './run-badge.tsx';
import { RunBoard } from './run-board.tsx';
import { StartLink } from './start-link.tsx';
import { customersIn } from './state.ts';

const FROM = '/portal/services/$serviceId/flows/$flowId/runs';
const PAGE = 50;
/** What one asks for: the key of another party is not known here. */
const STATUSES = ['awaiting_company', 'generating', 'awaiting_signature', 'completed', 'cancelled'] as const;

export function RunsPage() {
  const { view } = useSearch({ from: FROM });
  return (
    <PortalPage full={view === 'board'}>
      <Runs />
    </PortalPage>
  );
}

/** The runs of a flow: as a list, or as a board. Which of them stands in the address. */
function Runs() {
  const { t } = usePortalText();
  const { serviceId, flowId } = useParams({ from: FROM });
  const { view } = useSearch({ from: FROM });
  const place = useMemo((): FlowPlace => ({ serviceId, flowId }), [serviceId, flowId]);
  const { found: flow } = useRead(flowQuery(place));
  const isBoard = view === 'board';
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Group gap="xs">
          <TextLink to="/portal/services/$serviceId/flows/$flowId" params={{ ...place }} size="sm">
            {flow?.name || t('flow.unnamed')}
          </TextLink>
        </Group>
        <Group justify="space-between">
          <PageTitle>{t('runs.title')}</PageTitle>
          <StartLink serviceId={serviceId} search={{ flow: flowId }} />
        </Group>
      </Stack>
      <Tabs label={t('runs.views')}>
        <Tab to={FROM} params={{ ...place }} search={{}} isHere={!isBoard}>
          {t('runs.view.list')}
        </Tab>
        <Tab to={FROM} params={{ ...place }} search={{ view: 'board' }} isHere={isBoard}>
          {t('runs.view.board')}
        </Tab>
      </Tabs>
      {isBoard ? <RunBoard place={place} /> : <RunList place={place} />}
      <SameByApi {...sameCalls.runs(place)} />
    </Stack>
  );
}

/** The runs of a flow, the newest first. */
function RunList({ place }: { place: FlowPlace }) {
  const { t, count } = usePortalText();
  const { status } = useSearch({ from: FROM });
  const navigate = useNavigate();
  const [most, setMost] = useState(PAGE);
  const read = useRead(runsQuery(place, status, most));
  const { found: page } = read;
  return (
    <>
      <Text c="dimmed">{page === undefined ? t('runs.lead') : count('runs.count', page.total)}</Text>
      <NativeSelect
        label={t('runs.filter')}
        autoComplete="off"
        size="sm"
        data={[
          { value: '', label: t('runs.all') },
          ...STATUSES.map((value) => ({ value, label: t(`runs.filter.${value}`) })),
        ]}
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          navigate({ to: FROM, params: { ...place }, search: { status: value || undefined }, replace: true })
        }
      />
      <LoadedList of={{ ...read, found: page?.items }} none={t('runs.none')} noneText={t('runs.none.text')} />
      {page !== undefined && page.items.length > 0 && <RunTable place={place} page={page} />}
      {page !== undefined && page.total > page.items.length && (
        <Group>
          <Button variant="default" onClick={() => setMost(Math.min(most + PAGE, 500))}>
            {t('documents.more', { count: page.total - page.items.length })}
          </Button>
        </Group>
      )}
    </>
  );
}

function RunTable({ place, page }: { place: FlowPlace; page: RunPage }) {
  const { t, language } = usePortalText();
  const columns: Column<FlowRun>[] = [
    {
      key: 'name',
      title: t('runs.name'),
      cell: (run) => (
        <TextLink to={`${FROM}/$runId`} params={{ ...place, runId: run.id }} fw={600}>
          {runName(run.definition.name || t('flow.unnamed'), run, language)}
        </TextLink>
      ),
    },
    {
      key: 'customer',
      title: t('runs.customer'),
      cell: (run) => <CustomerNames of={customersIn(run, page.customers)} />,
    },
    { key: 'state', title: t('flows.state'), cell: (run) => <RunBadge run={run} /> },
    { key: 'version', title: t('runs.version'), cell: ({ flow_version: version }) => version },
    { key: 'changed', title: t('runs.changed'), cell: ({ updated_at: at }) => <When at={at} /> },
  ];
  return <DataTable label={t('runs.title')} columns={columns} rows={page.items} keyOf={({ id }) => id} />;
}
