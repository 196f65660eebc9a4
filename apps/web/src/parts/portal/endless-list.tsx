import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { endsBefore, type LongList, soFarQuery, withOlder } from '../../platform/portal/so-far.ts';
import { useRead } from '../../platform/read.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { EndlessTable } from '../../ui/endless-table.tsx';
import { resting } from '../../ui/resting.ts';
import type { Column } from '../../ui/table.tsx';
import { LoadedList } from '../loaded.tsx';
import { Problem } from '../problem.tsx';
import { type Csv, SaveCsv } from './save-csv.tsx';
import { useFurther } from './use-further.ts';
import { usePlace } from './use-place.ts';

/** A long list in one table: what follows is read from where the last row stands, when one comes near it. */
export function EndlessList<Row>(props: {
  label: string;
  list: LongList<Row>;
  columns: readonly Column<Row>[];
  none: string;
  noneText: string;
  noneAct?: ReactNode;
  /** How many rows there are. @param hasMore whether others follow */
  told: (rows: number, hasMore: boolean) => string;
  csv: (rows: readonly Row[]) => Csv;
}) {
  const { label, list, columns, told, csv, none, noneText, noneAct } = props;
  const { t } = usePortalText();
  const { from, keep } = usePlace();
  const read = useRead(soFarQuery(list, from.id));
  // One comes back from a row that stands further down than is known.
  const found = read.found && endsBefore(read.found, from.id) ? undefined : read.found;
  const next = found?.next ?? undefined;
  const { error, isHeld, more } = useFurther(next, async () => {
    const older = await list.page(next ?? '');
    read.change((before) => (before?.next === next ? before && withOlder(before, older) : before));
  });
  return (
    <LoadedList of={{ ...read, found: found?.rows }} {...{ none, noneText, noneAct }} height={300}>
      {(rows) => (
        <>
          <EndlessTable
            label={label}
            columns={columns}
            rows={rows}
            keyOf={list.idOf}
            more={next === undefined ? undefined : more}
            isHeld={isHeld}
            from={from}
            keep={keep}
          />
          <Problem error={error} retry={more} />
          <Group justify="space-between">
            <Text size="sm" c="dimmed" role="status">
              {told(rows.length, next !== undefined)}
            </Text>
            {next && error === undefined && (
              <Button variant="default" size="sm" {...resting(isHeld, more)}>
                {t('list.more')}
              </Button>
            )}
          </Group>
          <SaveCsv table={() => csv(rows)} />
        </>
      )}
    </LoadedList>
  );
}
