import { Stack, Text } from '@mantine/core';
import type { FlowIssue } from '@symbolon/flows';
import { usePortalText } from '../../../text/portal/index.tsx';
import { useEditor } from './context.ts';
import { useIssueText } from './issue-list.tsx';
import classes from './panels.module.css';
import { placeOf } from './places.ts';

const SHOWN_MOST = 100;

/** What keeps the flow from being published, and what its author should look at; each leads to its place. */
export function ChecksPanel({ showFlow }: { showFlow: () => void }) {
  const { t, count } = usePortalText();
  const { issues, warnings } = useEditor();
  return (
    <Stack gap="md">
      <Text role="status" fw={600}>
        {issues.length === 0 ? t('checks.none') : count('checks.issues', issues.length)}
      </Text>
      <List list={issues} look={classes.issue} showFlow={showFlow} />
      {warnings.length > 0 && <Text fw={600}>{count('checks.warnings', warnings.length)}</Text>}
      <List list={warnings} look={classes.warning} showFlow={showFlow} />
    </Stack>
  );
}

function List({
  list,
  look,
  showFlow,
}: {
  list: readonly FlowIssue[];
  look: string | undefined;
  showFlow: () => void;
}) {
  const { t } = usePortalText();
  const { definition, select } = useEditor();
  const textOf = useIssueText();
  return (
    <ul className={classes.issues}>
      {list.slice(0, SHOWN_MOST).map((issue) => {
        const place = placeOf(definition, issue);
        const edge = place.kind === 'edge' ? definition.edges[place.index] : undefined;
        const key = place.kind === 'node' ? place.key : edge?.from;
        const title = definition.nodes.find((node) => node.key === key)?.title || key;
        return (
          <li key={`${issue.path} ${issue.message}`}>
            <button
              type="button"
              className={classes.jump}
              onClick={() => (place.kind === 'flow' ? showFlow() : select(place))}
            >
              {title ?? t('flow.tab.flow')}
            </button>
            <span className={look}>: {textOf(issue)}</span>
          </li>
        );
      })}
      {list.length > SHOWN_MOST && <li>{t('checks.more', { count: list.length - SHOWN_MOST })}</li>}
    </ul>
  );
}
