import { Alert, List, Text } from '@mantine/core';
import type { OpenDocumentFile } from '@symbolon/sdk/device';
import { Problem } from '../../parts/problem.tsx';
import { runCheckQuery } from '../../platform/flows/document-answers.ts';
import { useRead } from '../../platform/read.ts';
import type { SignedIn } from '../../platform/session.ts';
import { useInsideText } from '../../text/inside/index.tsx';

type Props = { runId: string; documentId: string; file: OpenDocumentFile; session: SignedIn };

/** Compares a document that a flow made with the answers of that flow, before the person signs it. */
export function RunCheck({ runId, documentId, file: { bytes }, session: { keys } }: Props) {
  const { t } = useInsideText();
  const { found: missing, error } = useRead(keys && runCheckQuery(runId, documentId, bytes));
  if (error !== undefined) return <Problem error={error} />;
  if (missing === undefined || missing.length === 0)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t(missing === undefined ? 'documents.run.checking' : 'documents.run.same')}
      </Text>
    );
  return (
    <Alert color="orange" variant="light" title={t('documents.run.differs')}>
      <List size="sm">
        {missing.map(({ key, label, text }) => (
          <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
            {t('documents.run.answer', { label, text })}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        {t('documents.run.differs.text')}
      </Text>
    </Alert>
  );
}
