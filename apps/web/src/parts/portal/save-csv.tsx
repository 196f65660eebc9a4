import { Button } from '@mantine/core';
import { usePortalText } from '../../text/portal/index.tsx';
import { csvOf } from '../csv.ts';
import { download } from '../download.ts';

/** Saves the rows that a page shows, under their heads. */
export function SaveCsv({
  name,
  heads,
  rows,
}: {
  /** Of the file. */
  name: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  const { t } = usePortalText();
  return (
    <Button variant="default" size="sm" onClick={() => download(`${name}.csv`, csvOf([heads, ...rows]))}>
      {t('logs.csv')}
    </Button>
  );
}
