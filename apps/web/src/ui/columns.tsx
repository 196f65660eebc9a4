import type { ReactNode } from 'react';
import classes from './columns.module.css';

/** A list and one of its things. A desk shows both, a phone the thing alone. */
export function Columns({
  title,
  list,
  children,
}: {
  /** Of the list, where it stands beside a thing. */
  title: string;
  list: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={classes.columns}>
      <section className={classes.list} aria-label={title}>
        <p className={classes.title}>{title}</p>
        {list}
      </section>
      <div className={classes.thing}>{children}</div>
    </div>
  );
}
