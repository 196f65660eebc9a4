import { Group, Stack, Text } from '@mantine/core';
import {
  IconCheck,
  IconFileText,
  IconFlag,
  IconHourglass,
  IconPlayerPlay,
  IconSignature,
  IconX,
} from '@tabler/icons-react';
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
import { Timeline } from '../../../ui/timeline.tsx';
import { CustomerNames } from './customer-names.tsx';
import { DocumentsSection } from './documents-section.tsx';
import { RunAnswers } from './run-answers.tsx';
import { RunBadge } from './run-badge.tsx';
import { awaitedOf, customersIn, isOpen, isUntouched, RUN_TONES, turnOf } from './state.ts';

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
  const mayAct = mayAs(usePortalLogin(), 'support');
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
        <Steps run={run} steps={steps} hasForm={mayAct && turnOf(run, steps) === 'answer'} />
      </Section>
      <RunAnswers {...{ place, run, steps, customers, reload }} mayAnswer={mayAct} />
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

const NOW = {
  waiting: IconHourglass,
  generating: IconFileText,
  signing: IconSignature,
  completed: IconFlag,
  cancelled: IconX,
};

/** What happened, and what is waited for. */
function Steps({ run, steps, hasForm }: Pick<Props, 'run' | 'steps'> & { hasForm: boolean }) {
  const { t, maybe } = usePortalText();
  const { definition } = run;
  const labelOf = (party: string) => definition.parties.find(({ key }) => key === party)?.label || party;
  const titleOf = (node: string) => definition.nodes.find(({ key }) => key === node)?.title || node;
  const awaited = awaitedOf(run);
  const state = stateOf(run);
  const now = useRef<HTMLLIElement>(null);
  const { hash } = useLocation();
  // The address names the place before the run is there. The heading takes the focus first.
  useEffect(() => {
    if (hash === 'now' && !hasForm) now.current?.focus();
  }, [hash, hasForm]);
  return (
    <Timeline
      label={t('run.timeline')}
      happenings={[
        {
          ...{ key: 'started', icon: IconPlayerPlay, title: t('run.started') },
          when: <When at={run.created_at} />,
        },
        ...steps.map(({ node, party, answered_at: at }) => ({
          ...{ key: node, icon: IconCheck, tone: 'good' as const, title: titleOf(node) },
          when: <When at={at} />,
          detail: t('run.answered', { party: labelOf(party) }),
        })),
        {
          ...{ key: 'now', icon: NOW[state], tone: RUN_TONES[state], place: now },
          title: awaited === undefined ? t(`run.now.${state}`) : titleOf(run.current_node ?? ''),
          when: <When at={run.updated_at} />,
          detail:
            [
              ...(awaited === undefined ? [] : [t('run.waits', { party: awaited })]),
              ...(run.failure ? [maybe(`error.${run.failure}`) ?? run.failure] : []),
            ].join(' · ') || undefined,
        },
      ]}
    />
  );
}
