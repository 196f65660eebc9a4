import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActButtons } from '../act-buttons.tsx';
import { Problem, useAct } from '../problem.tsx';
import { Question } from './question.tsx';

/** A button whose act is done after a question. */
export function AskedAct({
  label,
  title,
  color,
  variant = 'light',
  act,
  children,
}: {
  label: string;
  title: string;
  color: string;
  variant?: 'light' | 'default';
  /** What follows once it is done belongs to it: the question goes then. */
  act: () => Promise<unknown>;
  children: ReactNode;
}) {
  const { busy, error, run } = useAct();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant={variant} {...(variant === 'light' && { color })} onClick={() => setAsked(true)}>
        {label}
      </Button>
      {isAsked && (
        <Question title={title} close={() => setAsked(false)}>
          {children}
          <Problem error={error} />
          <ActButtons
            label={label}
            color={color}
            busy={busy}
            act={() =>
              run(async () => {
                await act();
                setAsked(false);
              })
            }
            cancel={() => setAsked(false)}
          />
        </Question>
      )}
    </>
  );
}
