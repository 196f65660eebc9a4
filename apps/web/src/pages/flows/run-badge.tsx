import { type ListedRun, standingOf } from '../../platform/flows/run-list.ts';
import { useText } from '../../text/index.tsx';
import { Status } from '../../ui/status.tsx';

const TONES = {
  yours: 'warn',
  signature: 'neutral',
  others: 'neutral',
  generating: 'neutral',
  completed: 'good',
  cancelled: 'neutral',
} as const;

/** Where a run stands. */
export function RunBadge({
  run,
  personId,
}: {
  run: Pick<ListedRun, 'status' | 'bindings'>;
  personId: string;
}) {
  const { t } = useText();
  const standing = standingOf(run, personId);
  return <Status tone={TONES[standing]}>{t(`flows.state.${standing}`)}</Status>;
}
