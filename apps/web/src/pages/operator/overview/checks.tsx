import type { AdminReadiness } from '@symbolon/protocol';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Status } from '../../../ui/status.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';

type Check = AdminReadiness['checks'][string] & { readonly name: string };

/** Those that fail first. */
export function Checks({ checks }: Pick<AdminReadiness, 'checks'>) {
  const { t, maybe } = useOperatorText();
  const rows = Object.entries(checks).map(([name, check]): Check => ({ name, ...check }));
  const columns: Column<Check>[] = [
    {
      key: 'name',
      title: t('checks.name'),
      cell: ({ name }) => maybe(`checks.name.${name}`) ?? name,
    },
    { key: 'state', title: t('checks.state'), cell: (row) => <State check={row} /> },
    { key: 'detail', title: t('checks.detail'), cell: ({ detail }) => detail },
    {
      key: 'needed',
      title: t('checks.needed'),
      wide: true,
      cell: ({ needed }) => t(needed ? 'checks.needed.yes' : 'checks.needed.no'),
    },
    {
      key: 'age',
      title: t('checks.age'),
      end: true,
      wide: true,
      cell: ({ age_seconds: seconds }) => seconds !== undefined && t('checks.seconds', { seconds }),
    },
  ];
  return (
    <DataTable
      label={t('operator.table', { name: t('well.checks') })}
      columns={columns}
      rows={rows.sort((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'))}
      keyOf={({ name }) => name}
    />
  );
}

function State({ check: { state, needed } }: { check: Check }) {
  const { t } = useOperatorText();
  const tone = state === 'ok' ? 'good' : state === 'unknown' ? 'neutral' : needed ? 'bad' : 'warn';
  return <Status tone={tone}>{t(`checks.state.${state}`)}</Status>;
}
