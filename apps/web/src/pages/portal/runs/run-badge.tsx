import { Badge } from '@mantine/core';
import type { FlowRun } from '@symbolon/protocol';
import { stateOf } from '../../../platform/portal/run-column.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { awaitedOf } from './state.ts';

const COLOURS = {
  waiting: 'orange',
  generating: 'orange',
  signing: 'orange',
  completed: 'teal',
  cancelled: 'gray',
};

/** Where a run stands. */
export function RunBadge({ run }: { run: FlowRun }) {
  const { t } = usePortalText();
  const state = stateOf(run);
  return (
    <Badge variant="light" tt="none" color={COLOURS[state]}>
      {t(`run.state.${state}`, { party: awaitedOf(run) ?? '' })}
    </Badge>
  );
}
