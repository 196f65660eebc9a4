import { type ListedRun, standingOf } from '../../platform/flows/run-list.ts';
import { useInsideText } from '../../text/inside/index.tsx';
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
  const { t } = useInsideText();
  const standing = standingOf(run, personId);
  return <Status tone={TONES[standing]}>{t(`flows.state.${standing}`)}</Status>;
}
