import { Button, Group, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import type { FlowRun } from '@symbolon/protocol';
import { useParams } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { PageTitle } from '../../../parts/frame.tsx';
import { useList } from '../../../parts/list.ts';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { Question } from '../../../parts/portal/question.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { Section } from '../../../parts/section.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import type { FlowPlace } from '../../../platform/portal/flows.ts';
import { cancelRun, readRun } from '../../../platform/portal/runs.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { DocumentsSection } from './documents-section.tsx';
import { RunBadge } from './run-badge.tsx';
import { answeredSteps, awaitedOf, isOpen, stateOf } from './state.ts';

export function RunPage() {
  return (
    <PortalPage>
      <Loaded />
    </PortalPage>
  );
}

function Loaded() {
  const { t } = usePortalText();
  const { serviceId, flowId, runId } = useParams({
    from: '/portal/services/$serviceId/flows/$flowId/runs/$runId',
  });
  const place = useMemo((): FlowPlace => ({ serviceId, flowId }), [serviceId, flowId]);
  const { list: run, error, load } = useList(useCallback(() => readRun(place, runId), [place, runId]));
  return (
    <Stack gap="lg">
      <Group>
        <TextLink to="/portal/services/$serviceId/flows/$flowId/runs" params={{ ...place }} size="sm">
          {t('runs.title')}
        </TextLink>
      </Group>
      <Problem error={error} retry={load} />
      {run === undefined && error === undefined && <Skeleton h={240} radius={8} />}
      {run !== undefined && <Run place={place} run={run} reload={load} />}
    </Stack>
  );
}

function Run({ place, run, reload }: { place: FlowPlace; run: FlowRun; reload: () => void }) {
  const { t } = usePortalText();
  const mayCancel = mayAs(usePortalLogin(), 'support');
  return (
    <>
      <Stack gap={6}>
        <PageTitle>{t('run.title', { name: run.definition.name || t('flow.unnamed') })}</PageTitle>
        <Group gap="xs">
          <RunBadge run={run} />
          <Text size="sm" c="dimmed">
            {t('run.version', { version: run.flow_version })}
          </Text>
        </Group>
      </Stack>
      <Section title={t('run.timeline')} lead={t('run.timeline.lead')}>
        <Steps run={run} />
      </Section>
      <DocumentsSection place={place} run={run} />
      {mayCancel && isOpen(run) && <Cancel place={place} run={run} done={reload} />}
    </>
  );
}

/** What happened, and what is waited for. */
function Steps({ run }: { run: FlowRun }) {
  const { t, maybe } = usePortalText();
  const { definition } = run;
  const labelOf = (party: string) => definition.parties.find(({ key }) => key === party)?.label || party;
  const current = definition.nodes.find(({ key }) => key === run.current_node);
  const awaited = awaitedOf(run);
  const state = stateOf(run);
  const steps = answeredSteps(run);
  return (
    <Timeline active={steps.length} bulletSize={16} lineWidth={2}>
      <Timeline.Item title={t('run.started')}>
        <Text size="sm" c="dimmed">
          <When at={run.created_at} />
        </Text>
      </Timeline.Item>
      {steps.map((node) => (
        <Timeline.Item key={node.key} title={node.title || node.key}>
          <Text size="sm" c="dimmed">
            {t('run.answered', { party: labelOf(node.party) })}
          </Text>
        </Timeline.Item>
      ))}
      <Timeline.Item
        title={awaited === undefined ? t(`run.now.${state}`) : current?.title || t('run.now.waiting')}
      >
        <Text size="sm" c="dimmed">
          {awaited !== undefined && `${t('run.waits', { party: awaited })} · `}
          {run.failure && `${maybe(`error.${run.failure}`) ?? run.failure} · `}
          <When at={run.updated_at} />
        </Text>
      </Timeline.Item>
    </Timeline>
  );
}

function Cancel({ place, run, done }: { place: FlowPlace; run: FlowRun; done: () => void }) {
  const { t } = usePortalText();
  const { busy, error, run: act } = useAct();
  const [isAsked, setAsked] = useState(false);
  return (
    <Group>
      <Button variant="light" color="red" onClick={() => setAsked(true)}>
        {t('run.cancel')}
      </Button>
      {isAsked && (
        <Question title={t('run.cancel.title')} close={() => setAsked(false)}>
          <Text size="sm">{t('run.cancel.text')}</Text>
          <Problem error={error} />
          <ActButtons
            label={t('run.cancel')}
            color="red"
            busy={busy}
            act={() =>
              act(async () => {
                await cancelRun(place, run.id);
                setAsked(false);
                done();
              })
            }
            cancel={() => setAsked(false)}
          />
        </Question>
      )}
    </Group>
  );
}
