import { Alert, Text } from '@mantine/core';
import type { Read } from '../../platform/documents.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** What the company wrote about a document after the person signed or accepted it. */
export function ChangedSinceAct({ document }: { document: Read }) {
  const { t } = useInsideText();
  const { changed_since_act: newer, company, description, metadata, name } = document;
  if (newer === null) return null;
  const isOther = JSON.stringify(newer.metadata) !== JSON.stringify(metadata);
  return (
    <Alert color="orange" variant="light" title={t('documents.changed')}>
      <Text size="sm">{t('documents.changed.text', { company: company.display_name })}</Text>
      {newer.name !== name && <Text fw={600}>{newer.name}</Text>}
      {newer.description !== description && <Text>{newer.description ?? '–'}</Text>}
      {isOther && <Text size="sm">{t('documents.changed.other')}</Text>}
    </Alert>
  );
}
