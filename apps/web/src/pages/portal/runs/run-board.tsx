import { Button } from '@mantine/core';
import type { FlowRun, RunColumn } from '@symbolon/protocol';
import type { ReactNode } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { useFurther } from '../../../parts/portal/use-further.ts';
import { Problem } from '../../../parts/problem.tsx';
import { runName } from '../../../parts/run-name.ts';
import { TextLink } from '../../../parts/text-link.tsx';
import { When } from '../../../parts/when.tsx';
import type { Customers } from '../../../platform/portal/customers.ts';
import type { FlowPlace } from '../../../platform/portal/flows.ts';
import {
  type RunBoard as Runs,
  readFurther,
  runBoardQuery,
  withFurther,
} from '../../../platform/portal/runs.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { type Read, useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Board, Cards } from '../../../ui/board.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Group } from '../../../ui/group.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { resting } from '../../../ui/resting.ts';
import { Status } from '../../../ui/status.tsx';
import type { Tone } from '../../../ui/tone.ts';
import { CustomerNames } from './customer-names.tsx';
import { copiesOf } from './documents-section.tsx';
import { askedOf, customersIn, ownCopyOf, stepOf } from './state.ts';

const FROM = '/portal/services/$serviceId/flows/$flowId/runs';
const COLUMNS: readonly (readonly [RunColumn, Tone])[] = [
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
  const { found, change, load } = read;
  const runs = found && Object.values(found.columns).flat();
  return (
    <LoadedList
      of={{ ...read, found: runs }}
      none={t('runs.none')}
      noneText={t('runs.none.text')}
      height={320}
    >
      {() =>
        found !== undefined && (
          <Board label={t('board.label')}>
            {COLUMNS.map(([column, tone]) => (
              <Column key={column} {...{ place, column, tone, change, load }} board={found} />
            ))}
          </Board>
        )
      }
    </LoadedList>
  );
}

type ColumnProps = {
  place: FlowPlace;
  column: RunColumn;
  tone: Tone;
  board: Runs;
} & Pick<Read<Runs>, 'change' | 'load'>;

function Column({ place, column, tone, board, change, load }: ColumnProps) {
  const { t, count } = usePortalText();
  const runs = board.columns[column];
  const total = Math.max(board.totals[column], runs.length);
  const last = runs.at(-1)?.id;
  const { error, isHeld, more } = useFurther(last, async () => {
    const further = await readFurther(place, column, last);
    change((before) => before && withFurther(before, further));
    // Those that were counted have moved on meanwhile, or stand above all that is shown.
    if (further.columns[column].length === 0) await load();
  });
  // Documents are made within moments: the column stands there only while some are.
  if (column === 'generating' && total === 0) return null;
  const title = t(`board.${column}`);
  const hasMore = total > runs.length;
  return (
    <Group title={title} aside={<Status tone={total === 0 ? 'neutral' : tone}>{total}</Status>}>
      {total === 0 && <Empty title={t('board.none')}>{t(`board.${column}.none`)}</Empty>}
      <Cards near={() => hasMore && !isHeld && more()}>
        {runs.length > 0 && (
          <List label={title}>
            {runs.map((each) => (
              <Card key={each.id} place={place} run={each} column={column} customers={board.customers} />
            ))}
          </List>
        )}
        <Problem error={error} retry={more} />
        {hasMore && error === undefined && (
          <Button variant="default" size="sm" {...resting(isHeld, more)}>
            {count('board.more', total - runs.length)}
          </Button>
        )}
      </Cards>
    </Group>
  );
}

type CardProps = { place: FlowPlace; run: FlowRun; column: RunColumn; customers: Customers };

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
