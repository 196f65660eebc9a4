import type { Icon as TablerIcon } from '@tabler/icons-react';
import classes from './icon.module.css';
import type { Tone } from './tone.ts';

export type Icon = TablerIcon;

/** A picture of a kind of thing, in a tile of its tone. The words beside it say the same, so that screen readers pass over it. */
export function IconTile({ icon: Drawn, tone = 'neutral' }: { icon: Icon; tone?: Tone }) {
  return (
    <span className={classes.tile} data-tone={tone} aria-hidden="true">
      <Drawn size={20} stroke={1.75} />
    </span>
  );
}
