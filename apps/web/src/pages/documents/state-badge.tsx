import { Badge } from '@mantine/core';
import { stateOf } from '../../platform/document-states.ts';
import type { Listed } from '../../platform/documents.ts';
import { useText } from '../../text/index.tsx';

const COLORS = {
  sign: 'orange',
  accept: 'orange',
  offering: 'gray',
  waiting: 'gray',
  signed: 'teal',
  accepted: 'teal',
  signed_open: 'gray',
  accepted_open: 'gray',
  active: 'teal',
  active_but_ending: 'orange',
  ended: 'gray',
} as const;

/** How a document stands. */
export function StateBadge({ document }: { document: Listed }) {
  const { t } = useText();
  const state = stateOf(document);
  if (state === undefined) return null;
  return (
    <Badge component="span" color={COLORS[state]} variant="light" size="lg" tt="none" flex="none">
      {t(`documents.state.${state}`)}
    </Badge>
  );
}
