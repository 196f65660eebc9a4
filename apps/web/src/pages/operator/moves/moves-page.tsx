import type { AdminMove, AdminRegion } from '@symbolon/protocol';
import { useState } from 'react';
import { Loaded, LoadedList } from '../../../parts/loaded.tsx';
import { ActButton } from '../../../parts/operator/act-button.tsx';
import { ActSheet } from '../../../parts/operator/act-sheet.tsx';
import { Commands } from '../../../parts/operator/commands.tsx';
import { OperatorPage } from '../../../parts/operator/operator-page.tsx';
import { Pager } from '../../../parts/operator/pager.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import { MOVES_PAGE, movesQuery, undoMove } from '../../../platform/operator/companies.ts';
import { regionsQuery, useLooking } from '../../../platform/operator/watch.ts';
import { useRead } from '../../../platform/read.ts';
import { useOperatorText } from '../../../text/operator/index.tsx';
import { Group } from '../../../ui/group.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import type { Tone } from '../../../ui/tone.ts';
import { Messages } from './messages.tsx';

export function MovesPage() {
  return (
    <OperatorPage>
      <RegionsAndMoves />
    </OperatorPage>
  );
}

const LOOK_MS = 5_000;

function RegionsAndMoves() {
  const { t } = useOperatorText();
  const regions = useRead(regionsQuery);
  useLooking(regions.load, LOOK_MS);
  return (
    <Page title={t('moves.title')} lead={t('moves.lead')}>
      <Group title={t('regions.title')}>
        <Loaded of={regions} height={120}>
          {(found) => <Regions regions={found} />}
        </Loaded>
      </Group>
      {regions.found !== undefined && regions.found.length > 1 && (
        <Group title={t('held.title')} lead={t('held.lead')}>
          <Messages />
        </Group>
      )}
      <Group title={t('moves.list')} lead={t('moves.list.lead')}>
        <Moves />
      </Group>
      <Commands
        lines={[
          'regions',
          'messages list',
          'messages try SEQ',
          'messages skip SEQ',
          'moves',
          'undo-move MOVE',
        ]}
      />
    </Page>
  );
}

function Regions({ regions }: { regions: readonly AdminRegion[] }) {
  const { t, language } = useOperatorText();
  const number = new Intl.NumberFormat(language);
  const columns: Column<AdminRegion>[] = [
    {
      key: 'name',
      title: t('regions.name'),
      cell: ({ name, own }) => (own ? t('regions.own', { name }) : name),
    },
    {
      key: 'status',
      title: t('checks.state'),
      cell: ({ status }) => (
        <Status tone={status === 'ok' ? 'good' : 'bad'}>{t(`regions.status.${status}`)}</Status>
      ),
    },
    { key: 'url', title: t('regions.url'), wide: true, cell: (row) => row.api_url },
    {
      key: 'waiting',
      title: t('regions.messages'),
      cell: ({ messages: { waiting, oldest_at: oldest } }) =>
        oldest === null ? (
          t('regions.waiting.none')
        ) : (
          <>
            {t('regions.waiting', { count: number.format(waiting) })} <When at={oldest} />
          </>
        ),
    },
    {
      key: 'companies',
      title: t('companies.title'),
      end: true,
      cell: ({ companies }) => number.format(companies),
    },
  ];
  return (
    <DataTable
      label={t('operator.table', { name: t('regions.title') })}
      columns={columns}
      rows={regions}
      keyOf={({ name }) => name}
    />
  );
}

const TONES: Readonly<Record<AdminMove['state'], Tone>> = {
  copying: 'accent',
  holding: 'warn',
  held: 'warn',
  activating: 'warn',
  switched: 'good',
  done: 'good',
  undoing: 'neutral',
  undone: 'neutral',
};
/** Until the other region is asked to take over. */
const UNDOABLE: readonly AdminMove['state'][] = ['copying', 'holding', 'held'];

function Moves() {
  const { t } = useOperatorText();
  const [page, setPage] = useState(0);
  const [undoing, setUndoing] = useState<AdminMove>();
  const list = useRead(movesQuery(page));
  useLooking(list.load, LOOK_MS);
  const columns = useMoveColumns(setUndoing);
  return (
    <LoadedList
      of={{ ...list, found: list.found?.items }}
      none={t('moves.none')}
      noneText={t('moves.none.text')}
    >
      {(rows) => (
        <>
          <DataTable
            label={t('operator.table', { name: t('moves.list') })}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
          />
          <Pager
            back={page > 0 ? () => setPage(page - 1) : undefined}
            next={(page + 1) * MOVES_PAGE < (list.found?.total ?? 0) ? () => setPage(page + 1) : undefined}
          />
          {undoing !== undefined && (
            <ActSheet
              title={t('moves.undo.title')}
              text={t('moves.undo.text', { region: undoing.from })}
              label={t('moves.undo')}
              danger
              close={() => setUndoing(undefined)}
              act={async () => {
                await undoMove(undoing.id);
                await list.load();
              }}
            />
          )}
        </>
      )}
    </LoadedList>
  );
}

/** What a row says of a move, and the way back while there is one. */
function useMoveColumns(undo: (move: AdminMove) => void): Column<AdminMove>[] {
  const { t, language } = useOperatorText();
  const number = new Intl.NumberFormat(language);
  return [
    {
      key: 'company',
      title: t('moves.company'),
      cell: ({ company_user_id: companyId }) => (
        <TextLink to="/operator/companies/$companyId" params={{ companyId }} ff="monospace" size="xs">
          {companyId}
        </TextLink>
      ),
    },
    { key: 'way', title: t('moves.way'), cell: ({ from, to }) => `${from} → ${to}` },
    {
      key: 'state',
      title: t('checks.state'),
      cell: ({ state, reason }) => (
        <>
          <Status tone={TONES[state]}>{t(`moves.state.${state}`)}</Status>
          {reason !== null && <div>{reason}</div>}
        </>
      ),
    },
    {
      key: 'rows',
      title: t('moves.rows'),
      end: true,
      wide: true,
      cell: (row) => number.format(row.rows_copied),
    },
    {
      key: 'held',
      title: t('moves.held'),
      end: true,
      wide: true,
      cell: ({ held_ms: ms }) => ms !== null && t('well.ms', { ms: number.format(ms) }),
    },
    { key: 'since', title: t('moves.since'), wide: true, cell: (row) => <When at={row.started_at} /> },
    {
      key: 'act',
      title: t('operator.acts'),
      cell: (move) =>
        UNDOABLE.includes(move.state) && (
          <ActButton variant="default" size="compact-sm" h={32} onClick={() => undo(move)}>
            {t('moves.undo')}
          </ActButton>
        ),
    },
  ];
}
