import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import classes from './list.module.css';

/** Rows on one card, with a line between them. A screen reader counts them. */
export function List({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowParts {
  /** An avatar or the tile of an icon. */
  readonly leading?: ReactNode;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  /** A state, a time or a button; where there is none, a row that leads somewhere shows so. */
  readonly trailing?: ReactNode;
}

/** One row that leads nowhere. */
export function Row(parts: RowParts) {
  return (
    <li className={classes.item}>
      <div className={classes.row}>
        <Content {...parts} />
      </div>
    </li>
  );
}

/** One row that opens something here, as a sheet. */
export function RowButton({ onClick, ...parts }: RowParts & { onClick: () => void }) {
  return (
    <li className={classes.item}>
      <UnstyledButton className={classes.row} data-leads onClick={onClick}>
        <Content {...parts} leads />
      </UnstyledButton>
    </li>
  );
}

/** One row that leads to another page. */
export const RowLink = createLink(({ parts, ...anchor }: ComponentProps<'a'> & { parts: RowParts }) => (
  <li className={classes.item}>
    <a {...anchor} className={classes.row} data-leads>
      <Content {...parts} leads />
    </a>
  </li>
));

function Content({ leading, title, detail, trailing, leads = false }: RowParts & { leads?: boolean }) {
  return (
    <>
      {leading}
      <span className={classes.words}>
        <span className={classes.title}>
          <bdi>{title}</bdi>
        </span>
        {detail !== undefined && <span className={classes.detail}>{detail}</span>}
      </span>
      {trailing ?? (leads && <IconChevronRight size={18} className={classes.chevron} aria-hidden="true" />)}
    </>
  );
}
