import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Read } from '../platform/read.ts';
import { Empty } from '../ui/empty.tsx';
import { Problem } from './problem.tsx';
import { Unlock } from './unlock.tsx';

type Reading<T> = Pick<Read<T>, 'found' | 'error' | 'load'> & {
  /** Nothing is read before the person has opened the keys. */
  readonly isLocked?: boolean;
};

/** What was read; until then that it is loaded, that its keys are locked, or why it cannot be, with the way to try again. */
export function Loaded<T>({
  of: { found, error, load, isLocked = false },
  height = 120,
  waiting = <Skeleton h={height} radius={8} />,
  children,
}: {
  of: Reading<T>;
  /** How much room it takes while it is loaded. */
  height?: number;
  /** In place of that room. */
  waiting?: ReactNode;
  children?: (found: T) => ReactNode;
}) {
  return (
    <>
      {isLocked && <Unlock />}
      <Problem error={error} retry={load} />
      {found === undefined && error === undefined && !isLocked && waiting}
      {found !== undefined && children?.(found)}
    </>
  );
}

/** The same of a list: what will be in it is said while it is empty, and `children` are shown when it is not. */
export function LoadedList<Row>({
  none,
  noneText,
  noneAct,
  children,
  ...loaded
}: {
  of: Reading<readonly Row[]>;
  none: string;
  noneText: string;
  /** The step that puts something into it. */
  noneAct?: ReactNode;
  height?: number;
  children?: (rows: readonly Row[]) => ReactNode;
}) {
  return (
    <Loaded {...loaded}>
      {(rows) =>
        rows.length > 0 ? (
          children?.(rows)
        ) : (
          <Empty title={none} act={noneAct}>
            {noneText}
          </Empty>
        )
      }
    </Loaded>
  );
}
