import type { ReactNode } from 'react';
import classes from './panels.module.css';

/** One part of a list of which a single one is open at a time. */
export function Fold({
  place,
  open,
  setOpen,
  children,
}: {
  place: number;
  open: number | undefined;
  setOpen: (open: number | undefined) => void;
  children: ReactNode;
}) {
  return (
    <details
      className={classes.card}
      open={open === place}
      onToggle={({ currentTarget: { open: isOpen } }) => {
        if (isOpen) setOpen(place);
        else if (open === place) setOpen(undefined);
      }}
    >
      {children}
    </details>
  );
}
