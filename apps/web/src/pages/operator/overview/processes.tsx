import type { AdminProcess } from '@symbolon/protocol';
import { IconVersions } from '@tabler/icons-react';
import { useSize } from '../../../parts/size.ts';
import { When } from '../../../parts/when.tsx';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Note } from '../../../ui/note.tsx';
import { Status } from '../../../ui/status.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import type { Tone } from '../../../ui/tone.ts';

/** Other states say only that something keeps it from serving as usual. */
const TONES: Readonly<Record<string, Tone>> = {
  serving: 'good',
  draining: 'neutral',
  gone: 'bad',
  not_ready: 'bad',
  out_of_order: 'bad',
};

/** All that work on the database, and whether they are of one version. */
export function Processes({ rows }: { rows: readonly AdminProcess[] }) {
  const { t, language } = useOperatorText();
  const sizeOf = useSize();
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const list = new Intl.ListFormat(language);
  const of = (figure: number | null) => (figure === null ? '–' : number.format(figure));
  const versions = [...new Set(rows.flatMap(({ gone, version }) => (gone ? [] : [version])))].sort();
  const columns: Column<AdminProcess>[] = [
    { key: 'name', title: t('processes.name'), cell: (row) => <Name row={row} /> },
    { key: 'version', title: t('well.version'), cell: ({ version }) => version },
    { key: 'state', title: t('processes.state'), cell: (row) => <State row={row} /> },
    { key: 'seen', title: t('processes.seen'), wide: true, cell: ({ seen_at: at }) => <When at={at} /> },
    {
      key: 'memory',
      title: t('processes.memory'),
      end: true,
      wide: true,
      cell: ({ memory_bytes: bytes }) => (bytes === null ? '–' : sizeOf(bytes)),
    },
    {
      key: 'loop',
      title: t('processes.loop'),
      end: true,
      wide: true,
      cell: ({ event_loop_p99_ms: ms }) => (ms === null ? '–' : t('well.ms', { ms: number.format(ms) })),
    },
    {
      key: 'requests',
      title: t('processes.requests'),
      end: true,
      wide: true,
      cell: ({ requests_per_second: requests }) => of(requests),
    },
    { key: 'errors', title: t('processes.errors'), end: true, wide: true, cell: ({ errors }) => of(errors) },
  ];
  return (
    <>
      {versions.length > 1 && (
        <Note icon={IconVersions} tone="warn">
          {t('processes.versions', { versions: list.format(versions) })}
        </Note>
      )}
      <DataTable
        label={t('operator.table', { name: t('processes.title') })}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
      />
    </>
  );
}

function Name({ row: { instance, roles, this: isThis } }: { row: AdminProcess }) {
  const { t } = useOperatorText();
  return (
    <>
      {instance}
      <br />
      <small>
        {roles.join(', ')}
        {isThis && ` · ${t('processes.this')}`}
      </small>
    </>
  );
}

function State({ row: { state, gone } }: { row: AdminProcess }) {
  const { maybe } = useOperatorText();
  const shown = gone ? 'gone' : state;
  return <Status tone={TONES[shown] ?? 'warn'}>{maybe(`processes.state.${shown}`) ?? shown}</Status>;
}
