import type { ReactNode, Ref } from 'react';
import { type Icon, IconTile } from './icon.tsx';
import classes from './timeline.module.css';
import type { Tone } from './tone.ts';

export interface Happening {
  readonly key: string;
  readonly icon: Icon;
  readonly tone?: Tone;
  readonly title: ReactNode;
  readonly when: ReactNode;
  readonly detail?: ReactNode;
  readonly aside?: ReactNode;
  /** An address leads to it, so that it takes the focus. */
  readonly place?: Ref<HTMLLIElement>;
}

/** What happened, in the order of time, or the latest first. */
export function Timeline({ label, happenings }: { label: string; happenings: readonly Happening[] }) {
  return (
    <ol className={classes.line} aria-label={label}>
      {happenings.map(({ key, icon, tone, title, when, detail, aside, place }) => (
        <li key={key} className={classes.item} {...(place && { ref: place, tabIndex: -1 })}>
          <IconTile icon={icon} {...(tone && { tone })} />
          <div className={classes.words}>
            <div>
              <span className={classes.title}>{title}</span> <span className={classes.when}>{when}</span>
            </div>
            {detail !== undefined && <div className={classes.detail}>{detail}</div>}
          </div>
          {aside}
        </li>
      ))}
    </ol>
  );
}
