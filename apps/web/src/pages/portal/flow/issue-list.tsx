import type { FlowIssue } from '@symbolon/flows';
import { usePortalText } from '../../../text/portal/index.tsx';
import { useEditor } from './context.ts';
import classes from './panels.module.css';
import { issuesAt } from './places.ts';

/** What an issue says to the author, in the language of the page. */
export function useIssueText() {
  const { maybe } = usePortalText();
  return ({ code, message }: FlowIssue): string => maybe(`flow.issue.${code}`) ?? message;
}

/** The issues at a part of the flow. @param deep also those of what is inside of it, which shows them itself unless it is closed */
export function IssueList({ path, deep = false }: { path: string; deep?: boolean }) {
  const { issues, warnings } = useEditor();
  const textOf = useIssueText();
  const belongs = ({ path: at }: FlowIssue) =>
    deep || !/^\/(elements|outputs|options|condition)\//.test(at.slice(path.length));
  const lists = [
    { list: issuesAt(issues, path).filter(belongs), look: classes.issue },
    { list: issuesAt(warnings, path).filter(belongs), look: classes.warning },
  ];
  if (lists.every(({ list }) => list.length === 0)) return null;
  return (
    <ul className={classes.issues}>
      {lists.flatMap(({ list, look }) =>
        list.map((each) => (
          <li key={`${each.path} ${each.message}`} className={look}>
            {textOf(each)}
          </li>
        )),
      )}
    </ul>
  );
}
