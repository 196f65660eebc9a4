import { Button, Group, Stack, Textarea } from '@mantine/core';
import { limits } from '@symbolon/protocol/constants';
import { useState } from 'react';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { askedOf, endOf, isCancellable } from '../../platform/document-states.ts';
import { documents, type Read } from '../../platform/documents.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** Cancelling a contract: when it ends, and a note for the company. */
export function CancelSection({ document, done }: { document: Read; done: (document: Read) => void }) {
  const { t, language } = useInsideText();
  const { busy, error, run } = useAct();
  const [isAsking, setAsking] = useState(false);
  const [note, setNote] = useState('');
  if (!isCancellable(document)) return null;
  const { id, name, company } = document;
  const end = endOf(document, new Date().toISOString().slice(0, 10));
  const date =
    end && new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(end));
  const asked = askedOf(document);
  const lead =
    asked !== undefined
      ? t(`documents.cancel.${asked}`)
      : date === undefined
        ? t('documents.cancel.now')
        : t('documents.cancel.at', { date });
  const cancel = () => run(async () => done(await documents.cancel(id, note.trim() || undefined)));
  return (
    <Section title={t('documents.cancel')} lead={lead}>
      {isAsking ? (
        <Stack gap="md">
          <Textarea
            label={t('documents.cancel.note', { company: company.display_name })}
            autoComplete="off"
            description={t('documents.cancel.note.hint')}
            rows={3}
            maxLength={limits.documentNoteMost}
            value={note}
            onChange={({ currentTarget: { value } }) => setNote(value)}
          />
          <Problem error={error} />
          <Group>
            <Button color="red" loading={busy} onClick={cancel}>
              {t('documents.cancel.confirm', { name })}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setAsking(false)}>
              {t('app.back')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('documents.cancel')}
          </Button>
        </Group>
      )}
    </Section>
  );
}
