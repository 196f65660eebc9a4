import type { ReactNode } from 'react';
import classes from './board.module.css';

/** Columns of cards beside one another; on a phone one under another. Each is a `Group` with its `List`. */
export function Board({ label, children }: { label: string; children: ReactNode }) {
  return (
    // It scrolls where it is wider than the window, so it can have the focus.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
    <section className={classes.board} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
