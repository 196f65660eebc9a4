import type { ReactNode } from 'react';
import classes from './figure.module.css';

/** A few numbers beside one another, each with what it counts. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>;
}

export function Figure({ title, value, detail }: { title: ReactNode; value: ReactNode; detail?: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt className={classes.title}>{title}</dt>
      <dd className={classes.value}>{value}</dd>
      {detail !== undefined && <dd className={classes.detail}>{detail}</dd>}
    </div>
  );
}
