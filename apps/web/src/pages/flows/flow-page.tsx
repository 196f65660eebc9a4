import { Alert, Group, Progress, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { GivenStep } from '../../parts/answers/given-step.tsx';
import { CameFrom } from '../../parts/came-from.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { When } from '../../parts/when.tsx';
import { keepProgress, progressOf } from '../../platform/flows/progress.ts';
import {
  type OpenRun,
  pageFlows,
  partiesOf,
  type Run,
  runQuery,
  stepsOf,
} from '../../platform/flows/runs.ts';
import { useRead } from '../../platform/read.ts';
import { type SignedIn, useSession } from '../../platform/session.ts';
import { refreshWaiting } from '../../platform/waiting.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { PageTitle } from '../../ui/page.tsx';
import { DeclineSection } from './decline-section.tsx';
import { Outcome } from './outcome.tsx';
import { OwnStep } from './own-step.tsx';
import { RunBadge } from './run-badge.tsx';

const route = getRouteApi('/me/flows/$runId');

/** One run of a flow, step by step. */
export function FlowPage() {
  const { runId } = route.useParams();
  const session = useSession();
  return <MeFrame>{session.state === 'in' && <RunView key={runId} id={runId} session={session} />}</MeFrame>;
}

function RunView({ id, session }: { id: string; session: SignedIn }) {
  const { t } = useInsideText();
  const { of } = route.useSearch();
  const read = useRead(runQuery(id, session));
  const changed = async (run: Run) => {
    const next = await pageFlows().open(run);
    read.change(() => next);
    refreshWaiting();
  };
  return (
    <Stack gap="lg">
      <CameFrom of={of} tab="documents" list="/me/flows" label={t('flows.all')} />
      {read.found === undefined && <PageTitle>{t('flows.title')}</PageTitle>}
      <Loaded of={{ ...read, isLocked: session.keys === undefined }} height={280}>
        {(open) => <Shown open={open} session={session} changed={changed} reload={read.load} />}
      </Loaded>
    </Stack>
  );
}

type ShownProps = {
  open: OpenRun;
  session: SignedIn;
  changed: (run: Run) => Promise<void>;
  reload: () => void;
};

function Shown({ open, session, changed, reload }: ShownProps) {
  const { t } = useInsideText();
  const { run } = open;
  const { person_user_id: personId } = session.person;
  return (
    <>
      <Stack gap="xs">
        <Group justify="space-between" align="start" gap="xs">
          <PageTitle>{run.flow_name}</PageTitle>
          <RunBadge run={run} personId={personId} />
        </Group>
        <Text size="sm" c="dimmed">
          {t('flows.from', {
            company: run.company.display_name,
            code: run.company.share_code,
            service: run.service.name,
          })}{' '}
          · <When at={run.created_at} />
          {run.reference !== null && ` · ${run.reference}`}
        </Text>
        {open.step !== null && <HowFar open={open} personId={personId} />}
      </Stack>
      {stepsOf(open, personId)
        .filter(({ current }) => !current)
        .map((step) => (
          <GivenStep key={step.key} step={step} fieldTypes={open.state.fieldTypes} />
        ))}
      {(open.issues.length > 0 || !open.isConsistent) && (
        <Alert color="orange" variant="light">
          {t('flows.inconsistent', { company: run.company.display_name })}
        </Alert>
      )}
      {open.step === null ? (
        <Outcome open={open} session={session} changed={reload} />
      ) : (
        <OwnStep
          key={open.step.key}
          open={open}
          node={open.step}
          session={session}
          done={changed}
          outdated={reload}
        />
      )}
      <DeclineSection run={run} done={changed} />
    </>
  );
}

/** Which of their steps the person is at. */
function HowFar({ open, personId }: { open: OpenRun; personId: string }) {
  const { t } = useInsideText();
  const { run, state, way } = open;
  const progress = useMemo(
    () => progressOf(state.definition, way, partiesOf(run, personId)),
    [run, state, way, personId],
  );
  useEffect(() => {
    if (progress) keepProgress(run.id, progress);
  }, [run, progress]);
  if (progress === undefined || progress.about === 1) return null;
  const { step, about } = progress;
  const text = t('flows.progress', { step, about });
  return (
    <>
      <Progress value={(100 * step) / about} size="sm" aria-label={text} />
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </>
  );
}
