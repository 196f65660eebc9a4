import { useInsideText } from '../text/inside/index.tsx';
import { Status } from '../ui/status.tsx';
import { useNow } from './when.tsx';

/** How much time is left to answer. Screen readers read it when they come by, not each second. */
export function TimeLeft({ until }: { until: string }) {
  const { t } = useInsideText();
  const left = Math.max(0, Math.round((Date.parse(until) - useNow()) / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <span role="timer" aria-label={t('approvals.expires', { time })}>
      <Status tone="warn">{time}</Status>
    </span>
  );
}
