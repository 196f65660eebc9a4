import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { PageHead } from '../../parts/frame.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import rows from '../../parts/rows.module.css';
import { runName } from '../../parts/run-name.ts';
import { When } from '../../parts/when.tsx';
import { type ListedRun, runsQuery, standingOf } from '../../platform/flows/runs.ts';
import { useRead } from '../../platform/read.ts';
import { useSession } from '../../platform/session.ts';
import { useText } from '../../text/index.tsx';

/** What companies ask step by step. */
export function FlowsPage() {
  return (
    <MeFrame>
      <Flows />
    </MeFrame>
  );
}

function Flows() {
  const { t } = useText();
  const session = useSession();
  const list = useRead(runsQuery);
  const runs = list.found ?? [];
  const personId = session.state === 'in' ? session.person.person_user_id : '';
  const isWaiting = (run: ListedRun) => standingOf(run, personId) === 'yours';
  const waiting = runs.filter(isWaiting);
  const others = runs.filter((run) => !isWaiting(run));
  return (
    <Stack gap="lg">
      <PageHead title={t('flows.title')} lead={t('flows.lead')} />
      <LoadedList of={list} none={t('flows.none')} noneText={t('flows.none.text')} />
      <Stack gap="lg" aria-live="polite">
        <Rows title={t('flows.waiting')} runs={waiting} personId={personId} />
        <Rows title={t('flows.others')} runs={others} personId={personId} />
      </Stack>
    </Stack>
  );
}

function Rows({ title, runs, personId }: { title: string; runs: readonly ListedRun[]; personId: string }) {
  const heading = useId();
  const { language } = useText();
  if (runs.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-labelledby={heading}>
      <Title order={2} id={heading}>
        {title}
      </Title>
      <ul className={rows.rows}>
        {runs.map((run) => (
          <li key={run.id}>
            <Link to="/me/flows/$runId" params={{ runId: run.id }} className={rows.row ?? ''}>
              <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
                <Text component="span" fw={600} className={rows.name}>
                  {runName(run.flow_name, run, language)}
                </Text>
                <RunBadge run={run} personId={personId} />
              </Group>
              <Text component="span" display="block" size="sm" c="dimmed" className={rows.name}>
                {run.company.display_name}, {run.service.name} · <When at={run.updated_at} />
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

const COLORS = {
  yours: 'orange',
  signature: 'gray',
  others: 'gray',
  generating: 'gray',
  completed: 'teal',
  cancelled: 'gray',
} as const;

/** Where a run stands. */
export function RunBadge({
  run,
  personId,
}: {
  run: Pick<ListedRun, 'status' | 'bindings'>;
  personId: string;
}) {
  const { t } = useText();
  const standing = standingOf(run, personId);
  return (
    <Badge variant="light" color={COLORS[standing]} size="lg" tt="none" flex="none">
      {t(`flows.state.${standing}`)}
    </Badge>
  );
}
