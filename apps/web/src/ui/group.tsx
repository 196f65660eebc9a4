import { type ReactNode, useId } from 'react';
import classes from './group.module.css';

/** Things of one kind under their heading, with the way to all of them beside it. */
export function Group({
  title,
  lead,
  id,
  aside,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** Where an address with it leads. */
  id?: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const heading = useId();
  return (
    <section id={id} className={classes.group} aria-labelledby={heading}>
      <div className={classes.head}>
        <h2 id={heading} className={classes.title}>
          {title}
        </h2>
        {aside}
      </div>
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      {children}
    </section>
  );
}
