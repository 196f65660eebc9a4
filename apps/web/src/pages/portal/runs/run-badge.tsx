import type { FlowRun } from '@symbolon/protocol';
import { stateOf } from '../../../platform/portal/run-column.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Status } from '../../../ui/status.tsx';
import { awaitedOf, RUN_TONES } from './state.ts';

/** Where a run stands. */
export function RunBadge({ run }: { run: FlowRun }) {
  const { t } = usePortalText();
  const state = stateOf(run);
  return <Status tone={RUN_TONES[state]}>{t(`run.state.${state}`, { party: awaitedOf(run) ?? '' })}</Status>;
}
