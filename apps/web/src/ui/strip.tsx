import type { ReactNode } from 'react';
import type { Icon } from './icon.tsx';
import classes from './strip.module.css';
import type { Tone } from './tone.ts';

/** A line over the page that is true of all pages at the moment. It stays in sight, covers nothing and takes no focus. */
export function Strip({
  icon: Drawn,
  tone,
  act,
  children,
}: {
  icon: Icon;
  tone: Tone;
  act?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={classes.strip} data-tone={tone}>
      <Drawn size={18} stroke={1.75} className={classes.icon} aria-hidden="true" />
      <span className={classes.words}>{children}</span>
      {act}
    </div>
  );
}
