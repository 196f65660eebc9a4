import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './steps.module.css';

export interface Step {
  readonly key: string;
  readonly isDone: boolean;
  readonly title: ReactNode;
}

/** What is done and what comes next. @param done said after each step that is done */
export function Steps({ label, done, steps }: { label: string; done: string; steps: readonly Step[] }) {
  return (
    <ol className={classes.steps} aria-label={label}>
      {steps.map(({ key, isDone, title }) => {
        const Drawn = isDone ? IconCircleCheck : IconCircle;
        return (
          <li key={key} className={classes.step} data-done={isDone || undefined}>
            <Drawn
              size={20}
              stroke={1.75}
              role={isDone ? 'img' : undefined}
              aria-label={isDone ? done : undefined}
              aria-hidden={!isDone || undefined}
            />
            <span>{title}</span>
          </li>
        );
      })}
    </ol>
  );
}
