import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { Commands } from '../../../parts/operator/commands.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { adminFieldTypesQuery, type ListedType, removeFieldType } from '../../../platform/operator/care.ts';
import { useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Page } from '../../../ui/page.tsx';
import { Search } from '../../../ui/search.tsx';
import { Status } from '../../../ui/status.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { AddTypeSheet } from './add-type-sheet.tsx';

export function FieldTypesPage() {
  return (
    <OperatorPage>
      <FieldTypes />
    </OperatorPage>
  );
}

/** Those that were added first, then those that ship. */
function FieldTypes() {
  const { t } = useOperatorText();
  const list = useRead(adminFieldTypesQuery);
  const [q, setQ] = useState('');
  const [isAdding, setIsAdding] = useState(false);
  const words = q.trim().toLowerCase();
  const matching = list.found?.filter(
    ({ type, label }) => type.includes(words) || label.toLowerCase().includes(words),
  );
  return (
    <Page
      title={t('types.title')}
      lead={t('types.lead')}
      aside={
        <ActButton leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setIsAdding(true)}>
          {t('types.add')}
        </ActButton>
      }
    >
      <Search label={t('types.search')} value={q} change={setQ} />
      <LoadedList
        of={{ ...list, found: matching?.toSorted((a, b) => Number(a.is_system) - Number(b.is_system)) }}
        none={t('companies.none.found')}
        noneText={t('types.none.text')}
        height={300}
      >
        {(rows) => <Types rows={rows} changed={list.load} />}
      </LoadedList>
      {isAdding && <AddTypeSheet close={() => setIsAdding(false)} added={list.load} />}
      <Commands lines={['field-types list', 'field-types add FILE', 'field-types remove TYPE']} />
    </Page>
  );
}

function Types({ rows, changed }: { rows: readonly ListedType[]; changed: () => Promise<void> }) {
  const { t } = useOperatorText();
  const [removing, setRemoving] = useState<string>();
  const columns: Column<ListedType>[] = [
    { key: 'type', title: t('types.type'), cell: ({ type }) => type },
    { key: 'parent', title: t('types.parent'), wide: true, cell: ({ parent }) => parent },
    {
      key: 'label',
      title: t('types.label'),
      wide: true,
      // Of those that ship it is the name of a text.
      cell: ({ label, is_system: ships }) => !ships && label,
    },
    {
      key: 'origin',
      title: t('types.origin'),
      cell: ({ is_system: ships }) => (
        <Status tone={ships ? 'neutral' : 'accent'}>{t(ships ? 'types.ships' : 'types.added')}</Status>
      ),
    },
    {
      key: 'used',
      title: t('types.used'),
      cell: (row) => t(row.in_use ? 'types.used.yes' : 'types.used.no'),
    },
    {
      key: 'act',
      title: t('operator.acts'),
      cell: ({ type, is_system: ships, in_use: isUsed }) =>
        !ships &&
        !isUsed && (
          <ActButton
            variant="subtle"
            color="red"
            size="compact-sm"
            h={32}
            aria-label={t('types.remove.title', { type })}
            onClick={() => setRemoving(type)}
          >
            {t('types.remove')}
          </ActButton>
        ),
    },
  ];
  return (
    <>
      <DataTable label={t('types.title')} columns={columns} rows={rows} keyOf={({ type }) => type} />
      {removing !== undefined && (
        <ActSheet
          title={t('types.remove.title', { type: removing })}
          text={t('types.remove.text')}
          label={t('types.remove')}
          typed={removing}
          close={() => setRemoving(undefined)}
          act={async () => {
            await removeFieldType(removing);
            await changed();
          }}
        />
      )}
    </>
  );
}
