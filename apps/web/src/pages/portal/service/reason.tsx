import type { RequestFieldInput } from '@symbolon/protocol';
import { usePortalText } from '../../../text/portal/index.tsx';
import { whyText } from '../../../text/why.ts';
import classes from './asks-page.module.css';

/** Why a question is asked, on a line of its own, as people read it. */
export function Reason({ of: { reason } }: { of: Pick<RequestFieldInput, 'reason'> }) {
  const { language } = usePortalText();
  return reason ? <span className={classes.reason}>{whyText(reason, language)}</span> : null;
}
