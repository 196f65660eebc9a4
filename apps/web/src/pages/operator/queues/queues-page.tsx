import { Progress, Text } from '@mantine/core';
import type { AdminJob } from '@symbolon/protocol';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { Commands } from '../../../parts/operator/commands.tsx';
import { Oldest } from '../../../parts/operator/oldest.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { jobsQuery, purgeNow, statisticsQuery, useLooking } from '../../../platform/operator/watch.ts';
import { useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Figure, Figures } from '../../../ui/figure.tsx';
import { Group } from '../../../ui/group.tsx';
import { Note } from '../../../ui/note.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';

export function QueuesPage() {
  return (
    <OperatorPage>
      <Queues />
    </OperatorPage>
  );
}

const LOOK_MS = 5_000;

/** What waits, what fails of it, and the way on that there is. */
function Queues() {
  const { t, language } = useOperatorText();
  const number = new Intl.NumberFormat(language);
  const statistics = useRead(statisticsQuery);
  const jobs = useRead(jobsQuery);
  useLooking(() => {
    statistics.load();
    jobs.load();
  }, LOOK_MS);
  return (
    <Page title={t('queues.title')} lead={t('queues.lead')}>
      <Loaded of={statistics} height={110}>
        {({ feed, webhooks }) => (
          <Figures>
            <Figure
              title={t('well.webhooks')}
              value={number.format(webhooks.queue.events)}
              detail={<Oldest at={webhooks.queue.oldest_at} />}
            />
            <Figure
              title={t('well.failing')}
              value={number.format(webhooks.bad)}
              detail={t('queues.failing.text')}
            />
            <Figure
              title={t('well.feed')}
              value={number.format(feed.events)}
              detail={<Oldest at={feed.oldest_at} />}
            />
          </Figures>
        )}
      </Loaded>
      <Group title={t('queues.jobs')} lead={t('queues.jobs.lead')}>
        <LoadedList
          of={{ ...jobs, found: jobs.found?.jobs }}
          none={t('queues.jobs.none')}
          noneText={t('queues.jobs.none.text')}
        >
          {(rows) => <Jobs jobs={rows} waiting={jobs.found?.waiting ?? rows.length} />}
        </LoadedList>
      </Group>
      <Purge />
      <Commands lines={['stats', 'jobs', 'purge']} />
    </Page>
  );
}

function Jobs({ jobs, waiting }: { jobs: readonly AdminJob[]; waiting: number }) {
  const { t, language, maybe } = useOperatorText();
  const number = new Intl.NumberFormat(language);
  const columns: Column<AdminJob>[] = [
    {
      key: 'kind',
      title: t('queues.job'),
      cell: ({ kind }) => maybe(`queues.kind.${kind}`) ?? kind,
    },
    {
      key: 'company',
      title: t('moves.company'),
      cell: ({ company_user_id: companyId, company_name: name }) =>
        name === null ? (
          t('queues.gone')
        ) : (
          <TextLink to="/operator/companies/$companyId" params={{ companyId }}>
            {name}
          </TextLink>
        ),
    },
    { key: 'state', title: t('checks.state'), cell: (job) => <State job={job} /> },
    {
      key: 'done',
      title: t('queues.done'),
      end: true,
      cell: ({ done, total }) => (
        <>
          {number.format(done)} / {total === null ? '?' : number.format(total)}
          {total !== null && total > 0 && (
            <Progress value={(100 * done) / total} size="sm" aria-label={t('queues.done')} />
          )}
        </>
      ),
    },
    { key: 'since', title: t('queues.since'), wide: true, cell: (row) => <When at={row.created_at} /> },
  ];
  return (
    <>
      <DataTable
        label={t('operator.table', { name: t('queues.jobs') })}
        columns={columns}
        rows={jobs}
        keyOf={({ id }) => id}
      />
      {waiting > jobs.length && (
        <Text size="sm" c="dimmed">
          {t('queues.shown', { shown: jobs.length, count: number.format(waiting) })}
        </Text>
      )}
    </>
  );
}

function State({ job: { failures, problem, stepped_at: stepped } }: { job: AdminJob }) {
  const { t } = useOperatorText();
  if (failures === 0)
    return (
      <Status tone={stepped === null ? 'neutral' : 'accent'}>
        {t(stepped === null ? 'queues.state.waiting' : 'queues.state.running')}
      </Status>
    );
  return (
    <>
      <Status tone="bad">{t('queues.state.failing', { count: failures })}</Status>
      {problem !== null && <div>{problem}</div>}
    </>
  );
}

function Purge() {
  const { t, count } = useOperatorText();
  const [isAsking, setIsAsking] = useState(false);
  const [rows, setRows] = useState<number>();
  return (
    <Group title={t('queues.purge')} lead={t('queues.purge.lead')}>
      {rows !== undefined && (
        <Note icon={IconCircleCheck} tone="good">
          <span role="status">{count('queues.purged', rows)}</span>
        </Note>
      )}
      <div>
        <ActButton variant="default" onClick={() => setIsAsking(true)}>
          {t('queues.purge.do')}
        </ActButton>
      </div>
      {isAsking && (
        <ActSheet
          title={t('queues.purge')}
          text={t('queues.purge.text')}
          label={t('queues.purge.do')}
          danger
          close={() => setIsAsking(false)}
          act={async () => setRows((await purgeNow()).change_rows)}
        />
      )}
    </Group>
  );
}
