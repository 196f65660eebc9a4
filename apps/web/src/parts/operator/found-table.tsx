import { type ComponentProps, useDeferredValue, useState } from 'react';
import type { PageOf } from '../../platform/operator/companies.ts';
import type { Query } from '../../platform/queries.ts';
import { useRead } from '../../platform/read.ts';
import { useOperatorText } from '../../text/operator/index.tsx';
import { Search } from '../../ui/search.tsx';
import { DataTable } from '../../ui/table.tsx';
import { LoadedList } from '../loaded.tsx';
import { Pager } from './pager.tsx';

type Parts<Row> = Pick<ComponentProps<typeof DataTable<Row>>, 'label' | 'columns' | 'keyOf'> & {
  /** What is searched for: it stands in the address. */
  readonly q: string;
  readonly find: (q: string) => void;
  /** Of the search. */
  readonly prompt: string;
  /** @param after the key of the row before */
  readonly query: (q: string, after: string) => Query<PageOf<Row>>;
  /** While there is nothing at all. */
  readonly none: string;
  readonly noneText: string;
};

/** Rows that are searched for, a page after the other. */
export function FoundTable<Row>({ find, prompt, ...table }: Parts<Row>) {
  return (
    <>
      <Search label={prompt} value={table.q} change={find} />
      <Pages key={table.q} {...table} />
    </>
  );
}

function Pages<Row>({ q, query, none, noneText, ...table }: Omit<Parts<Row>, 'find' | 'prompt'>) {
  const { t } = useOperatorText();
  /** Where each page that was seen began. */
  const [places, setPlaces] = useState<readonly string[]>(['']);
  const list = useRead(query(useDeferredValue(q), places.at(-1) ?? ''));
  const last = list.found?.items.at(-1);
  const isMore = list.found?.hasMore === true && last !== undefined;
  return (
    <LoadedList
      of={{ ...list, found: list.found?.items }}
      none={q === '' ? none : t('companies.none.found')}
      noneText={q === '' ? noneText : t('companies.none.found.text')}
      height={300}
    >
      {(rows) => (
        <>
          <DataTable {...table} rows={rows} />
          <Pager
            back={places.length > 1 ? () => setPlaces(places.slice(0, -1)) : undefined}
            next={isMore ? () => setPlaces([...places, table.keyOf(last)]) : undefined}
          />
        </>
      )}
    </LoadedList>
  );
}
