import type { Listed } from '../../platform/document-list.ts';
import { stateOf } from '../../platform/document-states.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { Status } from '../../ui/status.tsx';

const TONES = {
  sign: 'warn',
  accept: 'warn',
  offering: 'neutral',
  waiting: 'neutral',
  signed: 'good',
  accepted: 'good',
  signed_open: 'neutral',
  accepted_open: 'neutral',
  active: 'good',
  active_but_ending: 'warn',
  ended: 'neutral',
} as const;

/** How a document stands. */
export function StateBadge({ document }: { document: Listed }) {
  const { t } = useInsideText();
  const state = stateOf(document);
  if (state === undefined) return null;
  return <Status tone={TONES[state]}>{t(`documents.state.${state}`)}</Status>;
}
