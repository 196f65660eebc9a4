import type { AdminBackup, BackupState } from '@symbolon/protocol';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { When } from '../../../parts/when.tsx';
import { askForBackup, backupStateQuery, backupsQuery } from '../../../platform/operator/care.ts';
import { useLooking } from '../../../platform/operator/watch.ts';
import { type Read, useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { CodeBlock } from '../../../ui/code.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Group } from '../../../ui/group.tsx';
import { Note } from '../../../ui/note.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';

export function BackupsPage() {
  return (
    <OperatorPage>
      <Backups />
    </OperatorPage>
  );
}

const LOOK_MS = 10_000;

function Backups() {
  const { t } = useOperatorText();
  const state = useRead(backupStateQuery);
  const list = useRead(backupsQuery);
  useLooking(() => {
    state.load();
    list.load();
  }, LOOK_MS);
  return (
    <Page title={t('backups.title')} lead={t('backups.lead')}>
      <Loaded of={state} height={160}>
        {(found) => <State state={found} of={state} />}
      </Loaded>
      <Group title={t('backups.list')} lead={t('backups.list.lead')}>
        <LoadedList of={list} none={t('backups.none')} noneText={t('backups.none.text')}>
          {(rows) => <Kept backups={rows} />}
        </LoadedList>
      </Group>
      <Group title={t('backups.byHand')} lead={t('backups.byHand.lead')}>
        <CodeBlock label={t('operator.commands')}>
          {[
            'symbolon admin backup symbolon.backup',
            'symbolon backup prove FILE --identity backup.key',
            'symbolon admin restore FILE --identity backup.key',
          ].join('\n')}
        </CodeBlock>
      </Group>
    </Page>
  );
}

function State({ state, of }: { state: BackupState; of: Read<BackupState> }) {
  const { t } = useOperatorText();
  const [isAsking, setIsAsking] = useState(false);
  const { schedule, made_at: made, proved_at: proved, asked_at: asked, failed } = state;
  return (
    <>
      {failed !== null && (
        <Note icon={IconAlertTriangle} tone="bad">
          {t('backups.failed')} <When at={failed.at} />: {failed.reason}
        </Note>
      )}
      {schedule === null && (
        <Note icon={IconAlertTriangle} tone="warn">
          {t('backups.noSchedule.text')}
        </Note>
      )}
      {asked !== null && (
        <Note icon={IconInfoCircle} tone="accent">
          <span role="status">{t('backups.asked')}</span>
        </Note>
      )}
      <Facts
        facts={[
          [t('backups.proved'), proved === null ? t('backups.never') : <When key="proved" at={proved} />],
          [t('backups.made'), made === null ? t('backups.never') : <When key="made" at={made} />],
          ...(schedule === null
            ? []
            : ([
                [t('backups.schedule'), t('backups.every', { hours: schedule.every_hours })],
                [
                  t('backups.next'),
                  schedule.next_at === null ? t('backups.soon') : <When key="next" at={schedule.next_at} />,
                ],
                [t('backups.keep'), schedule.keep],
                [
                  t('backups.encrypted'),
                  t(schedule.encrypted ? 'backups.encrypted.yes' : 'backups.encrypted.no'),
                ],
              ] as const)),
        ]}
      />
      {schedule !== null && (
        <div>
          <ActButton onClick={() => setIsAsking(true)} disabled={asked !== null}>
            {t('backups.now')}
          </ActButton>
        </div>
      )}
      {isAsking && (
        <ActSheet
          title={t('backups.now')}
          text={t('backups.now.text')}
          label={t('backups.now')}
          close={() => setIsAsking(false)}
          act={async () => {
            const next = await askForBackup();
            of.change(() => next);
          }}
        />
      )}
    </>
  );
}

function Kept({ backups }: { backups: readonly AdminBackup[] }) {
  const { t, language } = useOperatorText();
  const number = new Intl.NumberFormat(language);
  const columns: Column<AdminBackup>[] = [
    { key: 'name', title: t('backups.name'), cell: ({ name }) => name },
    {
      key: 'proof',
      title: t('backups.proof'),
      cell: ({ proof }) => (
        <Status tone={proof === null ? 'warn' : 'good'}>
          {t(proof === null ? 'backups.unproven' : 'backups.proven')}
        </Status>
      ),
    },
    {
      key: 'when',
      title: t('backups.proved.at'),
      cell: ({ proof }) => proof && <When at={proof.proved_at} />,
    },
    {
      key: 'found',
      title: t('backups.found'),
      wide: true,
      cell: ({ proof }) =>
        proof &&
        t('backups.found.text', {
          rows: number.format(proof.rows),
          files: number.format(proof.blobs),
          opened: number.format(proof.opened),
        }),
    },
    { key: 'version', title: t('well.version'), wide: true, cell: ({ proof }) => proof?.version },
  ];
  return (
    <DataTable
      label={t('operator.table', { name: t('backups.list') })}
      columns={columns}
      rows={backups}
      keyOf={({ name }) => name}
    />
  );
}
