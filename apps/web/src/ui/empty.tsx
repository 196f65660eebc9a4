import type { ReactNode } from 'react';
import classes from './empty.module.css';

/** What will be in a list, and the one step to get there. */
export function Empty({ title, children, act }: { title: string; children: ReactNode; act?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      <p className={classes.text}>{children}</p>
      {act}
    </div>
  );
}
