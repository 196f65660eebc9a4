import classes from './bars.module.css';
import type { Tone } from './tone.ts';

export interface Bar {
  readonly key: string;
  readonly value: number;
  readonly tone: Tone;
  /** What it stands for, where the pointer rests on it. */
  readonly title: string;
}

/** Values beside one another, in the order of time. @param label what they say as a whole: nothing else of it is read aloud */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <div className={classes.bars} role="img" aria-label={label}>
      {bars.map(({ key, value, tone, title }) => (
        <span
          key={key}
          className={classes.bar}
          data-tone={tone}
          title={title}
          style={{ height: `${Math.max(SMALLEST, (100 * value) / most)}%` }}
        />
      ))}
    </div>
  );
}

/** Percent: a value of nothing is seen, too. */
const SMALLEST = 4;
