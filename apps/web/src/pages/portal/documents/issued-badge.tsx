import type { Document } from '@symbolon/protocol';
import { issuedState } from '../../../platform/portal/issued.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Status } from '../../../ui/status.tsx';

const TONES = {
  sign: 'warn',
  accept: 'warn',
  offering: 'neutral',
  waiting: 'neutral',
  sent: 'neutral',
  signed: 'good',
  accepted: 'good',
  active: 'good',
  active_but_ending: 'warn',
  ended: 'neutral',
} as const;

/** How a document stands with its customer. */
export function IssuedBadge({ document }: { document: Document }) {
  const { t } = usePortalText();
  const state = issuedState(document);
  return (
    <Status tone={TONES[state]}>{state === 'sent' ? t('issued.sent') : t(`documents.state.${state}`)}</Status>
  );
}
