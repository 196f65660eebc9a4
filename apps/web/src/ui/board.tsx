import type { ReactNode, UIEvent } from 'react';
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

/** How near the end of the cards more are asked for, in pixels. */
const NEAR = 300;

/**
 * The cards of a column. On a desk they scroll by themselves.
 * @param near is called as one comes near their end
 */
export function Cards({ near, children }: { near: () => void; children: ReactNode }) {
  const look = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
    if (scrollHeight - scrollTop - clientHeight < NEAR) near();
  };
  return (
    <div className={classes.cards} onScroll={look}>
      {children}
    </div>
  );
}
