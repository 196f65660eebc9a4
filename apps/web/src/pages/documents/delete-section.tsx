import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { documents, type Read } from '../../platform/documents.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** Deletes the person's own copy, after the question whether it should be. */
export function DeleteSection({ document }: { document: Read }) {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const { id, name, company, broadcast } = document;
  if (broadcast) return null;
  const remove = () =>
    run(async () => {
      await documents.delete(id);
      await navigate({ to: '/me/documents' });
    });
  return (
    <Section
      title={t('documents.delete')}
      lead={t('documents.delete.text', { company: company.display_name })}
    >
      {isAsking && <Text fw={600}>{t('documents.delete.question', { name })}</Text>}
      <Problem error={error} />
      <Group>
        {isAsking ? (
          <>
            <Button color="red" loading={busy} onClick={remove}>
              {t('documents.delete.confirm', { name })}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setAsking(false)}>
              {t('app.cancel')}
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('documents.delete')}
          </Button>
        )}
      </Group>
    </Section>
  );
}
