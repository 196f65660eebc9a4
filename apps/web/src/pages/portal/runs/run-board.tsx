import type { FlowRun } from '@symbolon/protocol';
import type { ReactNode } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { runName } from '../../../parts/run-name.ts';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import type { Customers } from '../../../platform/portal/customers.ts';
import type { FlowPlace } from '../../../platform/portal/flows.ts';
import {
  type BoardColumn,
  CARDS,
  LISTED,
  type RunBoard as Runs,
  runBoardQuery,
} from '../../../platform/portal/runs.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Board } from '../../../ui/board.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Status } from '../../../ui/status.tsx';
import type { Tone } from '../../../ui/tone.ts';
import { CustomerNames } from './customer-names.tsx';
import { copiesOf } from './documents-section.tsx';
import { askedOf, columnOf, customersIn, ownCopyOf, stepOf } from './state.ts';

const FROM = '/portal/services/$serviceId/flows/$flowId/runs';
const COLUMNS: readonly (readonly [BoardColumn, Tone])[] = [
  ['customer', 'neutral'],
  ['company', 'warn'],
  ['generating', 'neutral'],
  ['signature', 'accent'],
  ['done', 'good'],
  ['ended', 'neutral'],
];

/** The runs of a flow by whom they wait for. */
export function RunBoard({ place }: { place: FlowPlace }) {
  const { t } = usePortalText();
  const read = useRead(runBoardQuery(place));
  const { found } = read;
  return (
    <LoadedList
      of={{ ...read, found: found?.items }}
      none={t('runs.none')}
      noneText={t('runs.none.text')}
      height={320}
    >
      {() =>
        found !== undefined && (
          <Board label={t('board.label')}>
            {COLUMNS.map(([column, tone]) => (
              <Column key={column} place={place} column={column} tone={tone} board={found} />
            ))}
          </Board>
        )
      }
    </LoadedList>
  );
}

type ColumnProps = { place: FlowPlace; column: BoardColumn; tone: Tone; board: Runs };

function Column({ place, column, tone, board: { items, totals, customers } }: ColumnProps) {
  const { t, count } = usePortalText();
  const known = items.filter((run) => columnOf(run) === column);
  const runs = known.slice(0, CARDS);
  const total = Math.max(totals[column], known.length);
  // Documents are made within moments: the column stands there only while some are.
  if (column === 'generating' && total === 0) return null;
  const title = t(`board.${column}`);
  return (
    <Group title={title} aside={<Status tone={total === 0 ? 'neutral' : tone}>{total}</Status>}>
      {total === 0 && <Empty title={t('board.none')}>{t(`board.${column}.none`)}</Empty>}
      {runs.length > 0 && (
        <List label={title}>
          {runs.map((run) => (
            <Card key={run.id} place={place} run={run} column={column} customers={customers} />
          ))}
        </List>
      )}
      {total > runs.length && (
        <TextLink
          to={FROM}
          params={{ ...place }}
          search={column === 'customer' ? {} : { status: LISTED[column] }}
          size="sm"
        >
          {count('board.more', total - runs.length)}
        </TextLink>
      )}
    </Group>
  );
}

type CardProps = { place: FlowPlace; run: FlowRun; column: BoardColumn; customers: Customers };

/** Who takes part in a run, what is waited for, and since when. */
function Card({ place, run, column, customers }: CardProps) {
  const { t, language } = usePortalText();
  const here = { ...place, runId: run.id };
  const theirs = customersIn(run, customers);
  const step = stepOf(run);
  return (
    <Row
      title={
        <TextLink to={`${FROM}/$runId`} params={here} fw={600}>
          {theirs.length === 0 ? (
            runName(run.definition.name || t('flow.unnamed'), run, language)
          ) : (
            <CustomerNames of={theirs} />
          )}
        </TextLink>
      }
      detail={
        <>
          {run.reference !== null && <Line>{run.reference}</Line>}
          {step !== undefined && column === 'customer' && <Line>{t('board.step', { step })}</Line>}
          <Missing run={run} />
          <Line>
            {t(`board.since.${column}`)} <When at={run.updated_at} />
          </Line>
          {column === 'company' && (
            <TextLink to={`${FROM}/$runId`} params={here} hash="now" size="sm">
              {t('board.answer', { step: step ?? t('board.step.unknown') })}
            </TextLink>
          )}
          <ToSign place={place} run={run} />
        </>
      }
    />
  );
}

const Line = ({ children }: { children: ReactNode }) => <span style={{ display: 'block' }}>{children}</span>;

/** Who is to sign or accept which document now. */
function Missing({ run }: { run: FlowRun }) {
  const { t } = usePortalText();
  const label = (party: string) => run.definition.parties.find(({ key }) => key === party)?.label || party;
  return copiesOf(run).map(({ party, document }) => {
    const asked = askedOf(document);
    if (asked === undefined) return null;
    return (
      <Line key={document.document_id}>
        {t(`board.asked.${asked}`, { party: label(party), name: document.name })}
      </Line>
    );
  });
}

/** The company's own copies that wait for the owner, who alone may sign. */
function ToSign({ place, run }: { place: FlowPlace; run: FlowRun }) {
  const { t } = usePortalText();
  const isOwner = mayAs(usePortalLogin(), 'owner');
  if (!isOwner) return null;
  const outputs = new Set(copiesOf(run).map(({ document }) => document.output_key));
  return [...outputs].map((outputKey) => {
    const copy = ownCopyOf(run, outputKey);
    const asked = copy && askedOf(copy);
    if (copy === undefined || asked === undefined) return null;
    return (
      <TextLink
        key={outputKey}
        to={`${FROM}/$runId/documents/$outputKey`}
        params={{ ...place, runId: run.id, outputKey }}
        size="sm"
        display="block"
      >
        {t(`board.open.${asked}`, { name: copy.name })}
      </TextLink>
    );
  });
}
