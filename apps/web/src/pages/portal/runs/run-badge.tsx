import type { FlowRun } from '@symbolon/protocol';
import { stateOf } from '../../../platform/portal/run-column.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Status } from '../../../ui/status.tsx';
import { awaitedOf } from './state.ts';

const TONES = {
  waiting: 'warn',
  generating: 'warn',
  signing: 'warn',
  completed: 'good',
  cancelled: 'neutral',
} as const;

/** Where a run stands. */
export function RunBadge({ run }: { run: FlowRun }) {
  const { t } = usePortalText();
  const state = stateOf(run);
  return <Status tone={TONES[state]}>{t(`run.state.${state}`, { party: awaitedOf(run) ?? '' })}</Status>;
}
