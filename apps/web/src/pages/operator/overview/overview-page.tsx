import { Button } from '@mantine/core';
import type {
  AdminJobList,
  AdminReadiness,
  AdminRegion,
  BackupState,
  MaintenanceView,
  Statistics,
} from '@symbolon/protocol';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { Commands } from '../../../parts/operator/commands.tsx';
import { Oldest } from '../../../parts/operator/oldest.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { useSize } from '../../../parts/size.ts';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { backupStateQuery, maintenanceQuery } from '../../../platform/operator/care.ts';
import {
  jobsQuery,
  readinessQuery,
  regionsQuery,
  statisticsQuery,
  useLooking,
} from '../../../platform/operator/watch.ts';
import { useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Figure, Figures } from '../../../ui/figure.tsx';
import { Group } from '../../../ui/group.tsx';
import { Note } from '../../../ui/note.tsx';
import { Page } from '../../../ui/page.tsx';
import { Checks } from './checks.tsx';
import { Processes } from './processes.tsx';

export function OverviewPage() {
  return (
    <OperatorPage>
      <Overview />
    </OperatorPage>
  );
}

const LOOK_MS = 10_000;

/** Is it well? Each part is read by itself: one that fails leaves the others. */
function Overview() {
  const { t } = useOperatorText();
  const maintenance = useRead(maintenanceQuery);
  const readiness = useRead(readinessQuery);
  const statistics = useRead(statisticsQuery);
  const jobs = useRead(jobsQuery);
  const regions = useRead(regionsQuery);
  const backups = useRead(backupStateQuery);
  const look = () => {
    for (const { load } of [maintenance, readiness, statistics, jobs, regions, backups]) load();
  };
  useLooking(look, LOOK_MS);
  return (
    <Page
      title={t('well.title')}
      lead={t('well.lead')}
      aside={
        <Button variant="default" leftSection={<IconRefresh size={18} aria-hidden="true" />} onClick={look}>
          {t('well.look')}
        </Button>
      }
    >
      {maintenance.found && <Kept view={maintenance.found} />}
      <Group title={t('well.process')}>
        <Loaded of={readiness} height={110}>
          {(found) => <Process readiness={found} />}
        </Loaded>
        <Loaded of={statistics} height={190}>
          {(found) => <Answers statistics={found} />}
        </Loaded>
      </Group>
      <Group title={t('processes.title')} lead={t('processes.lead')}>
        <LoadedList
          of={{ ...statistics, found: statistics.found?.processes }}
          none={t('processes.none')}
          noneText={t('processes.none.text')}
          height={120}
        >
          {(rows) => <Processes rows={rows} />}
        </LoadedList>
      </Group>
      <Group
        title={t('well.waits')}
        aside={
          <TextLink to="/operator/queues" size="sm">
            {t('queues.title')}
          </TextLink>
        }
      >
        <Loaded of={statistics} height={110}>
          {(found) => <Waits statistics={found} />}
        </Loaded>
        <Loaded of={jobs} height={80}>
          {(found) => <Jobs jobs={found} />}
        </Loaded>
      </Group>
      <Group title={t('well.checks')} lead={t('well.checks.lead')}>
        <Loaded of={readiness} height={240}>
          {(found) => <Checks checks={found.checks} />}
        </Loaded>
      </Group>
      <Group
        title={t('backups.title')}
        aside={
          <TextLink to="/operator/backups" size="sm">
            {t('well.more')}
          </TextLink>
        }
      >
        <Loaded of={backups} height={80}>
          {(found) => <Backups state={found} />}
        </Loaded>
      </Group>
      <Loaded of={regions} height={80}>
        {(found) => found.length > 1 && <Regions regions={found} />}
      </Loaded>
      <Commands lines={['readiness', 'stats', 'jobs', 'regions']} />
    </Page>
  );
}

/** What an operator has switched off, where it cannot be overlooked. */
function Kept({ view }: { view: MaintenanceView }) {
  const { t } = useOperatorText();
  const kept = (['out_of_order', 'writes_paused'] as const).flatMap((state) => {
    const since = view[state];
    return since === null ? [] : [{ state, ...since }];
  });
  return kept.map(({ state, since, reason }) => (
    <Note key={state} icon={IconAlertTriangle} tone="bad">
      <strong>{t(`maintenance.${state}.on`)}</strong> <When at={since} />
      {reason !== null && ` · ${reason}`}
      {' · '}
      <Link to="/operator/maintenance">{t('maintenance.title')}</Link>
    </Note>
  ));
}

function Process({ readiness: { status, process, disk } }: { readiness: AdminReadiness }) {
  const { t, language } = useOperatorText();
  const sizeOf = useSize();
  const used = disk.size_bytes === 0 ? 0 : 1 - disk.free_bytes / disk.size_bytes;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <Figures>
      <Figure
        title={process.instance}
        value={t(`well.status.${status}`)}
        detail={t(`well.status.${status}.text`)}
      />
      <Figure
        title={t('well.version')}
        value={process.version}
        detail={
          <>
            {process.region} · {process.roles.join(', ')}
          </>
        }
      />
      <Figure
        title={t('well.started')}
        value={<When at={process.started_at} />}
        detail={t('well.memory', { size: sizeOf(process.memory_bytes) })}
      />
      <Figure
        title={t('well.disk')}
        value={percent.format(used)}
        detail={t('well.disk.free', { size: sizeOf(disk.free_bytes) })}
      />
    </Figures>
  );
}

/** What the process answered lately, and how long it can. */
function Answers({ statistics: { requests, certificates } }: { statistics: Statistics }) {
  const { t, language } = useOperatorText();
  const { total, seconds, errors, refused, p99_ms: p99 } = requests;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const shareOf = (count: number) => t('well.share', { share: percent.format(count / Math.max(1, total)) });
  const ends = (at: string | null) => (at === null ? t('well.noCertificate') : <When at={at} />);
  return (
    <>
      <Figures>
        <Figure
          title={t('well.requests')}
          value={number.format(total / seconds)}
          detail={t('well.requests.of', { count: number.format(total), seconds })}
        />
        <Figure title={t('well.errors')} value={number.format(errors)} detail={shareOf(errors)} />
        <Figure title={t('well.refused')} value={number.format(refused)} detail={shareOf(refused)} />
        <Figure
          title={t('well.answered')}
          value={p99 === null ? '–' : t('well.ms', { ms: number.format(p99) })}
          detail={p99 === null ? t('well.answered.none') : undefined}
        />
      </Figures>
      <Facts
        facts={[
          [t('well.seal'), ends(certificates.seal)],
          [t('well.tls'), ends(certificates.tls)],
        ]}
      />
    </>
  );
}

function Waits({ statistics }: { statistics: Statistics }) {
  const { t, language } = useOperatorText();
  const number = new Intl.NumberFormat(language);
  const { feed, webhooks, event_loop: loop } = statistics;
  return (
    <Figures>
      <Figure
        title={t('well.webhooks')}
        value={number.format(webhooks.queue.events)}
        detail={<Oldest at={webhooks.queue.oldest_at} />}
      />
      <Figure
        title={t('well.failing')}
        value={number.format(webhooks.bad)}
        detail={t('well.failing.of', { count: number.format(webhooks.total) })}
      />
      <Figure
        title={t('well.feed')}
        value={number.format(feed.events)}
        detail={<Oldest at={feed.oldest_at} />}
      />
      <Figure
        title={t('well.loop')}
        value={t('well.ms', { ms: loop.p99_ms })}
        detail={t('well.loop.most', { ms: loop.max_ms })}
      />
    </Figures>
  );
}

function Jobs({ jobs: { waiting, oldest_at: oldest, jobs } }: { jobs: AdminJobList }) {
  const { t } = useOperatorText();
  const failing = jobs.filter(({ failures }) => failures > 0).length;
  return (
    <Facts
      facts={[
        [t('well.jobs'), <Amount key="jobs" count={waiting} />],
        [t('well.jobs.oldest'), oldest === null ? t('well.none') : <When key="at" at={oldest} />],
        [t('well.jobs.failing'), <Amount key="failing" count={failing} />],
      ]}
    />
  );
}

function Backups({ state }: { state: BackupState }) {
  const { t } = useOperatorText();
  const { proved_at: proved, made_at: made, schedule, failed } = state;
  return (
    <>
      {failed !== null && (
        <Note icon={IconAlertTriangle} tone="bad">
          {t('backups.failed')} <When at={failed.at} />: {failed.reason}
        </Note>
      )}
      <Facts
        facts={[
          [t('backups.proved'), proved === null ? t('backups.never') : <When key="proved" at={proved} />],
          [t('backups.made'), made === null ? t('backups.never') : <When key="made" at={made} />],
          [
            t('backups.schedule'),
            schedule === null ? t('backups.noSchedule') : t('backups.every', { hours: schedule.every_hours }),
          ],
        ]}
      />
    </>
  );
}

/** Where the other regions stand. */
function Regions({ regions }: { regions: readonly AdminRegion[] }) {
  const { t } = useOperatorText();
  return (
    <Group
      title={t('well.regions')}
      aside={
        <TextLink to="/operator/moves" size="sm">
          {t('well.more')}
        </TextLink>
      }
    >
      <Facts
        facts={regions
          .filter(({ own }) => !own)
          .map(({ name, status, messages: { waiting, oldest_at: oldest } }) => [
            name,
            <span key={name}>
              {t(`regions.status.${status}`)} ·{' '}
              {oldest === null ? (
                t('regions.waiting.none')
              ) : (
                <>
                  {t('regions.waiting', { count: waiting })} <When at={oldest} />
                </>
              )}
            </span>,
          ])}
      />
    </Group>
  );
}

function Amount({ count }: { count: number }) {
  const { language } = useOperatorText();
  return new Intl.NumberFormat(language).format(count);
}
