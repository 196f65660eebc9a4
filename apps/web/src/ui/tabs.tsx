import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import classes from './tabs.module.css';

/** The parts of one thing, each with an address of its own. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {children}
    </nav>
  );
}

export const Tab = createLink(({ isHere, ...anchor }: ComponentProps<'a'> & { isHere: boolean }) => (
  <a
    {...anchor}
    className={classes.tab}
    aria-current={isHere ? 'page' : undefined}
    data-here={isHere || undefined}
  />
));
