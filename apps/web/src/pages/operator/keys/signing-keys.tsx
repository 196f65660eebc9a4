import { Group as Beside } from '@mantine/core';
import type { SigningKeyView } from '@symbolon/protocol';
import { useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { When } from '../../../parts/when.tsx';
import { rotateSigningKeys, signingKeysQuery } from '../../../platform/operator/care.ts';
import { useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';

/** What signs id_tokens: the public halves, by their names. */
export function SigningKeysSection() {
  const { t } = useOperatorText();
  const list = useRead(signingKeysQuery);
  const [asked, setAsked] = useState<'next' | 'compromised'>();
  const columns: Column<SigningKeyView>[] = [
    { key: 'kid', title: t('keys.kid'), cell: ({ kid }) => kid },
    { key: 'algorithm', title: t('keys.algorithm'), cell: ({ algorithm }) => algorithm },
    { key: 'from', title: t('keys.signs'), cell: (row) => <When at={row.signs_from} /> },
    {
      key: 'until',
      title: t('keys.published'),
      cell: ({ published_until: until }) => (until === null ? t('keys.newest') : <When at={until} />),
    },
  ];
  return (
    <Group title={t('keys.signing')} lead={t('keys.signing.lead')}>
      <LoadedList of={list} none={t('keys.signing.none')} noneText={t('keys.signing.none.text')}>
        {(rows) => (
          <DataTable
            label={t('operator.table', { name: t('keys.signing') })}
            columns={columns}
            rows={rows}
            keyOf={({ kid }) => kid}
          />
        )}
      </LoadedList>
      <Beside gap="xs">
        <ActButton variant="default" onClick={() => setAsked('next')}>
          {t('keys.next')}
        </ActButton>
        <ActButton variant="light" color="red" onClick={() => setAsked('compromised')}>
          {t('keys.compromised')}
        </ActButton>
      </Beside>
      {asked !== undefined && (
        <ActSheet
          title={t(`keys.${asked}`)}
          text={t(`keys.${asked}.text`)}
          label={t(`keys.${asked}`)}
          typed={asked === 'compromised' ? t('keys.compromised.typed') : undefined}
          close={() => setAsked(undefined)}
          act={async () => {
            await rotateSigningKeys(asked === 'compromised');
            await list.load();
          }}
        />
      )}
    </Group>
  );
}
