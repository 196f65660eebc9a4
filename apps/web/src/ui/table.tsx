import type { ReactNode } from 'react';
import classes from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** @param tabIndex of what leads somewhere, in a table that arrows go through */
  readonly cell: (row: Row, tabIndex?: number) => ReactNode;
  /** Numbers stand at the end. */
  readonly end?: true;
  /** Left out where there is little room. */
  readonly wide?: true;
}

/** Rows of one kind, with a heading over each column, on one card. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}) {
  return (
    // It scrolls where it is wider than the window, so it can have the focus.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
    <section className={classes.frame} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <Head columns={columns} />
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What stands over the columns. */
export function Head<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, title, end, wide }) => (
          <th key={key} scope="col" data-end={end} data-wide={wide}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** What a row says. */
export function Cells<Row>({
  columns,
  row,
  tabIndex,
}: {
  columns: readonly Column<Row>[];
  row: Row;
  tabIndex?: number;
}) {
  return columns.map(({ key, cell, end, wide }) => (
    <td key={key} data-end={end} data-wide={wide}>
      {cell(row, tabIndex)}
    </td>
  ));
}
