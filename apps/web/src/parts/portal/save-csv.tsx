import { Button } from '@mantine/core';
import { usePortalText } from '../../text/portal/index.tsx';
import { csvOf } from '../csv.ts';
import { download } from '../download.ts';

/** A table as a file. */
export interface Csv {
  /** Of the file. */
  readonly name: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Saves the rows that a page shows, under their heads. @param props.table is asked when it is saved: there may be many rows */
export function SaveCsv({ table }: { table: () => Csv }) {
  const { t } = usePortalText();
  const save = () => {
    const { name, heads, rows } = table();
    download(`${name}.csv`, csvOf([heads, ...rows]));
  };
  return (
    <Button variant="default" size="sm" onClick={save}>
      {t('logs.csv')}
    </Button>
  );
}
