import { Group as Beside } from '@mantine/core';
import type { AdminMessage } from '@symbolon/protocol';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { When } from '../../../parts/when.tsx';
import { messagesQuery, skipMessage, tryMessage, useLooking } from '../../../platform/operator/watch.ts';
import { useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Note } from '../../../ui/note.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';

const LOOK_MS = 5_000;

/** What waits for other regions: the first message of each lane holds those behind it. */
export function Messages() {
  const { t, language } = useOperatorText();
  const list = useRead(messagesQuery);
  useLooking(list.load, LOOK_MS);
  const { busy, error, run } = useAct();
  const [said, setSaid] = useState<string>();
  const [skipping, setSkipping] = useState<AdminMessage>();
  const number = new Intl.NumberFormat(language);
  const send = ({ seq }: AdminMessage) =>
    run(async () => {
      setSaid(undefined);
      const { arrived, failed_key: key } = await tryMessage(seq);
      setSaid(arrived ? t('held.arrived') : t('held.refused', { key: key ?? '' }));
      await list.load();
    });
  const columns: Column<AdminMessage>[] = [
    { key: 'region', title: t('held.for'), cell: ({ region }) => region },
    { key: 'kind', title: t('held.kind'), cell: ({ kind }) => kind },
    { key: 'subject', title: t('held.about'), wide: true, cell: ({ subject }) => subject },
    {
      key: 'waiting',
      title: t('held.waiting'),
      end: true,
      cell: ({ waiting }) => number.format(waiting),
    },
    { key: 'since', title: t('held.since'), cell: (row) => <When at={row.created_at} /> },
    {
      key: 'act',
      title: t('operator.acts'),
      cell: (message) => (
        <Acts message={message} busy={busy} send={() => send(message)} skip={() => setSkipping(message)} />
      ),
    },
  ];
  return (
    <>
      <Problem error={error} />
      {said !== undefined && (
        <Note icon={IconInfoCircle} tone="accent">
          <span role="status">{said}</span>
        </Note>
      )}
      <LoadedList of={list} none={t('held.none')} noneText={t('held.none.text')}>
        {(rows) => (
          <DataTable
            label={t('operator.table', { name: t('held.title') })}
            columns={columns}
            rows={rows}
            keyOf={({ seq }) => String(seq)}
          />
        )}
      </LoadedList>
      {skipping !== undefined && (
        <ActSheet
          title={t('held.skip.name', { seq: skipping.seq })}
          text={t('held.skip.text', { region: skipping.region })}
          label={t('held.skip')}
          typed={String(skipping.seq)}
          close={() => setSkipping(undefined)}
          act={async () => {
            await skipMessage(skipping.seq);
            await list.load();
          }}
        />
      )}
    </>
  );
}

function Acts(props: { message: AdminMessage; busy: boolean; send: () => void; skip: () => void }) {
  const { message, busy, send, skip } = props;
  const { t } = useOperatorText();
  return (
    <Beside gap="xs" wrap="nowrap">
      <ActButton
        variant="default"
        size="compact-sm"
        disabled={busy}
        aria-label={t('held.try.name', { seq: message.seq })}
        onClick={send}
      >
        {t('held.try')}
      </ActButton>
      <ActButton
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={t('held.skip.name', { seq: message.seq })}
        onClick={skip}
      >
        {t('held.skip')}
      </ActButton>
    </Beside>
  );
}
