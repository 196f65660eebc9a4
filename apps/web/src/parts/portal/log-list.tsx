import { Anchor } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { LongList } from '../../platform/portal/so-far.ts';
import { usePortalText } from '../../text/portal/index.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import type { Column } from '../../ui/table.tsx';
import { EndlessList } from './endless-list.tsx';
import type { Csv } from './save-csv.tsx';

/** What is known of an entry: as a column of the log, and as a fact of it. */
export interface OfEntry<Entry> extends Omit<Column<Entry>, 'cell'> {
  readonly cell: (entry: Entry) => ReactNode;
  /** The fact, where it says more than the column. */
  readonly whole?: (entry: Entry) => ReactNode;
}

/** A log, the latest first. Each entry is one line, and opens as a whole. */
export function LogList<Entry>(props: {
  label: string;
  list: LongList<Entry>;
  /** What happened: it opens the entry. */
  what: (entry: Entry) => string;
  others: readonly OfEntry<Entry>[];
  /** What is said where there is nothing; that there are no entries yet unless it says otherwise. */
  none?: string;
  noneText: string;
  csv: (entries: readonly Entry[]) => Csv;
}) {
  const { what, others, ...list } = props;
  const { t, count } = usePortalText();
  const [open, setOpen] = useState<Entry>();
  const close = () => setOpen(undefined);
  const whatColumn: Column<Entry> = {
    key: 'what',
    title: t('audit.what'),
    cell: (entry, tabIndex) => (
      <Anchor
        component="button"
        type="button"
        display="block"
        maw="100%"
        fz="inherit"
        ta="start"
        truncate
        tabIndex={tabIndex}
        title={what(entry)}
        onClick={() => setOpen(entry)}
      >
        {what(entry)}
      </Anchor>
    ),
  };
  return (
    <>
      <EndlessList
        none={t('audit.none')}
        {...list}
        columns={[whatColumn, ...others]}
        told={(entries, hasMore) => count(hasMore ? 'audit.soFar' : 'audit.count', entries)}
      />
      {open !== undefined && (
        <Sheet title={what(open)} opened close={close} closeLabel={t('app.close')}>
          <Facts facts={others.map(({ title, cell, whole = cell }) => [title, whole(open)] as const)} />
        </Sheet>
      )}
    </>
  );
}
