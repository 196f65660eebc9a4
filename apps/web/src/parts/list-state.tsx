import { Skeleton, Text } from '@mantine/core';
import { EmptyState } from './frame.tsx';
import { Problem } from './problem.tsx';

/** What stands in place of a list: that it is loaded, that it cannot be, or what will be in it. */
export function ListState(props: {
  /** Undefined until it was read. */
  list: readonly unknown[] | undefined;
  error: unknown;
  retry: () => void;
  none: string;
  noneText: string;
  /** How much room the list takes while it is loaded. */
  height?: number;
}) {
  const { list, error, retry, none, noneText, height = 120 } = props;
  return (
    <>
      <Problem error={error} retry={retry} />
      {list === undefined && error === undefined && <Skeleton h={height} radius={8} />}
      {list?.length === 0 && (
        <EmptyState title={none}>
          <Text c="dimmed">{noneText}</Text>
        </EmptyState>
      )}
    </>
  );
}
