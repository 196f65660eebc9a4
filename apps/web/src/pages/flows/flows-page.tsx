import { Stack } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { ToCompanies } from '../../parts/next-step.tsx';
import { runName } from '../../parts/run-name.ts';
import { When } from '../../parts/when.tsx';
import { type ListedRun, runsQuery, standingOf } from '../../platform/flows/run-list.ts';
import { useRead } from '../../platform/read.ts';
import { useSession } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Group } from '../../ui/group.tsx';
import { IconTile } from '../../ui/icon.tsx';
import { List, RowLink } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { RunBadge } from './run-badge.tsx';

/** What companies ask step by step. */
export function FlowsPage() {
  return (
    <MeFrame>
      <Flows />
    </MeFrame>
  );
}

function Flows() {
  const { t } = useInsideText();
  const session = useSession();
  const list = useRead(runsQuery);
  const runs = list.found ?? [];
  const personId = session.state === 'in' ? session.person.person_user_id : '';
  const isWaiting = (run: ListedRun) => standingOf(run, personId) === 'yours';
  const waiting = runs.filter(isWaiting);
  const others = runs.filter((run) => !isWaiting(run));
  return (
    <Page title={t('flows.title')} lead={t('flows.lead')}>
      <LoadedList
        of={list}
        none={t('flows.none')}
        noneText={t('flows.none.text')}
        noneAct={<ToCompanies />}
      />
      <Stack gap="lg" aria-live="polite">
        <Rows title={t('flows.waiting')} runs={waiting} personId={personId} tone="accent" />
        <Rows title={t('flows.others')} runs={others} personId={personId} tone="neutral" />
      </Stack>
    </Page>
  );
}

function Rows(props: {
  title: string;
  runs: readonly ListedRun[];
  personId: string;
  tone: 'accent' | 'neutral';
}) {
  const { title, runs, personId, tone } = props;
  const { language } = useInsideText();
  if (runs.length === 0) return null;
  return (
    <Group title={title}>
      <List>
        {runs.map((run) => (
          <RowLink
            key={run.id}
            to="/me/flows/$runId"
            params={{ runId: run.id }}
            parts={{
              leading: <IconTile icon={IconRoute} tone={tone} />,
              title: runName(run.flow_name, run, language),
              detail: (
                <>
                  {run.company.display_name}, {run.service.name} · <When at={run.updated_at} />
                </>
              ),
              trailing: <RunBadge run={run} personId={personId} />,
            }}
          />
        ))}
      </List>
    </Group>
  );
}
