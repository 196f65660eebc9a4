import type { ReactNode } from 'react';
import classes from './status.module.css';
import type { Tone } from './tone.ts';

/** A state in a word or two. */
export function Status({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      {children}
    </span>
  );
}
