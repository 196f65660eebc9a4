import { Group, Stack, Text, Timeline } from '@mantine/core';
import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { Loaded } from '../../../parts/loaded.tsx';
import { AskedAct } from '../../../parts/portal/asked-act.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { runName } from '../../../parts/run-name.ts';
import { Section } from '../../../parts/section.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import type { FlowPlace } from '../../../platform/portal/flows.ts';
import { stateOf } from '../../../platform/portal/run-column.ts';
import {
  cancelRun,
  type RunWithSteps,
  runWithStepsQuery,
  withdrawDocuments,
} from '../../../platform/portal/runs.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { PageTitle } from '../../../ui/page.tsx';
import { CustomerNames } from './customer-names.tsx';
import { DocumentsSection } from './documents-section.tsx';
import { RunAnswers } from './run-answers.tsx';
import { RunBadge } from './run-badge.tsx';
import { awaitedOf, customersIn, isOpen, isUntouched, turnOf } from './state.ts';

export function RunPage() {
  return (
    <PortalPage>
      <Opened />
    </PortalPage>
  );
}

function Opened() {
  const { t } = usePortalText();
  const { serviceId, flowId, runId } = useParams({
    from: '/portal/services/$serviceId/flows/$flowId/runs/$runId',
  });
  const place = useMemo((): FlowPlace => ({ serviceId, flowId }), [serviceId, flowId]);
  const read = useRead(runWithStepsQuery(place, runId));
  return (
    <Stack gap="lg">
      <Group>
        <TextLink to="/portal/services/$serviceId/flows/$flowId/runs" params={{ ...place }} size="sm">
          {t('runs.title')}
        </TextLink>
      </Group>
      <Loaded of={read} height={240}>
        {(found) => <Run place={place} {...found} reload={read.load} />}
      </Loaded>
    </Stack>
  );
}

type Props = RunWithSteps & { place: FlowPlace; reload: () => Promise<void> };

function Run({ place, run, steps, customers, reload }: Props) {
  const { t, language } = usePortalText();
  const login = usePortalLogin();
  const mayAct = mayAs(login, 'support');
  const mayAnswer = mayAs(login, 'developer');
  return (
    <>
      <Stack gap={6}>
        <PageTitle>
          {t('run.title', { name: runName(run.definition.name || t('flow.unnamed'), run, language) })}
        </PageTitle>
        <Group gap="xs">
          <RunBadge run={run} />
          <Text size="sm" c="dimmed">
            {t('run.version', { version: run.flow_version })}
          </Text>
        </Group>
        <Stack gap={2}>
          {customersIn(run, customers).map((each) => (
            <Text key={each.key} style={{ overflowWrap: 'anywhere' }}>
              {each.party}: <CustomerNames of={[each]} />
            </Text>
          ))}
        </Stack>
        {/* By these a backend knows the run and its customer. */}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[
            t('run.id', { id: run.id }),
            ...(run.connection_id === null ? [] : [t('run.connection', { id: run.connection_id })]),
          ].join(' · ')}
        </Text>
      </Stack>
      <Section title={t('run.timeline')} lead={t('run.timeline.lead')}>
        <Steps run={run} steps={steps} hasForm={mayAnswer && turnOf(run, steps) === 'answer'} />
      </Section>
      <RunAnswers {...{ place, run, steps, customers, mayAnswer, reload }} />
      <DocumentsSection place={place} run={run} />
      {mayAct && isOpen(run) && (
        <Group>
          {isUntouched(run) && (
            <AskedAct
              label={t('run.withdraw')}
              title={t('run.withdraw.title')}
              color="gray"
              act={() => withdrawDocuments(place, run.id).then(reload)}
            >
              <Text size="sm">{t('run.withdraw.text')}</Text>
            </AskedAct>
          )}
          <AskedAct
            label={t('run.cancel')}
            title={t('run.cancel.title')}
            color="red"
            act={() => cancelRun(place, run.id).then(reload)}
          >
            <Text size="sm">{t('run.cancel.text')}</Text>
          </AskedAct>
        </Group>
      )}
      <SameByApi {...sameCalls.run(place, run)} />
    </>
  );
}

/** What happened, and what is waited for. */
function Steps({ run, steps, hasForm }: Pick<Props, 'run' | 'steps'> & { hasForm: boolean }) {
  const { t, maybe } = usePortalText();
  const { definition } = run;
  const labelOf = (party: string) => definition.parties.find(({ key }) => key === party)?.label || party;
  const titleOf = (node: string) => definition.nodes.find(({ key }) => key === node)?.title || node;
  const awaited = awaitedOf(run);
  const state = stateOf(run);
  const now = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  // The address names the place before the run is there. The heading takes the focus first.
  useEffect(() => {
    if (hash === 'now' && !hasForm) now.current?.focus();
  }, [hash, hasForm]);
  return (
    <Timeline active={isOpen(run) ? steps.length : steps.length + 1} bulletSize={16} lineWidth={2}>
      <Timeline.Item title={t('run.started')}>
        <Text size="sm" c="dimmed">
          <When at={run.created_at} />
        </Text>
      </Timeline.Item>
      {steps.map(({ node, party, answered_at: at }) => (
        <Timeline.Item key={node} title={titleOf(node)}>
          <Text size="sm" c="dimmed">
            {t('run.answered', { party: labelOf(party) })} · <When at={at} />
          </Text>
        </Timeline.Item>
      ))}
      <Timeline.Item
        ref={now}
        tabIndex={-1}
        title={awaited === undefined ? t(`run.now.${state}`) : titleOf(run.current_node ?? '')}
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
