import type { ReactNode } from 'react';
import type { Icon } from './icon.tsx';
import classes from './note.module.css';
import type { Tone } from './tone.ts';

/** A sentence beside its picture: what the platform cannot see, what follows, one piece of advice. */
export function Note({
  icon: Drawn,
  tone,
  children,
}: {
  icon: Icon;
  /** With a tone it stands on its ground. */
  tone?: Tone;
  children: ReactNode;
}) {
  return (
    <div className={classes.note} data-tone={tone}>
      <Drawn size={18} stroke={1.75} className={classes.icon} aria-hidden="true" />
      <div className={classes.words}>{children}</div>
    </div>
  );
}
