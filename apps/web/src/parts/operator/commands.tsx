import { useOperatorText } from '../../text/operator/index.tsx';
import { CodeBlock } from '../../ui/code.tsx';
import { Group } from '../../ui/group.tsx';

/** What shows and does the same as a page in a terminal. */
export function Commands({ lines }: { lines: readonly string[] }) {
  const { t } = useOperatorText();
  return (
    <Group title={t('operator.commandLine')}>
      <CodeBlock label={t('operator.commands')}>
        {lines.map((line) => `symbolon admin ${line}`).join('\n')}
      </CodeBlock>
    </Group>
  );
}
