import { Button, Group, Stack, Textarea } from '@mantine/core';
import { limits } from '@symbolon/protocol/constants';
import { useState } from 'react';
import { Problem, useAct } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { askedOf, endOf, isCancellable } from '../../platform/document-states.ts';
import { documents, type Read } from '../../platform/documents.ts';
import { useInsideText } from '../../text/inside/index.tsx';

/** Cancelling a contract: when it ends, and a note for the company. */
export function CancelSection({ document, done }: { document: Read; done: (document: Read) => void }) {
  const { t, language } = useInsideText();
  const [isAsking, setAsking] = useState(false);
  if (!isCancellable(document)) return null;
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
  return (
    <Section title={t('documents.cancel')} lead={lead}>
      {isAsking ? (
        <Asking document={document} done={done} close={() => setAsking(false)} />
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

function Asking({
  document: { id, name, company },
  done,
  close,
}: {
  document: Read;
  done: (document: Read) => void;
  close: () => void;
}) {
  const { t } = useInsideText();
  const { busy, error, run } = useAct();
  const { value: note, change, drop } = useKept(`document.cancel.${id}`, () => '');
  const cancel = () =>
    run(async () => {
      const cancelled = await documents.cancel(id, note.trim() || undefined);
      drop();
      done(cancelled);
    });
  return (
    <Stack gap="md">
      <Textarea
        label={t('documents.cancel.note', { company: company.display_name })}
        autoComplete="off"
        description={t('documents.cancel.note.hint')}
        rows={3}
        maxLength={limits.documentNoteMost}
        value={note}
        onChange={({ currentTarget: { value } }) => change(value)}
      />
      <Problem error={error} />
      <Group>
        <Button color="red" loading={busy} onClick={cancel}>
          {t('documents.cancel.confirm', { name })}
        </Button>
        <Button variant="subtle" color="gray" onClick={close}>
          {t('app.back')}
        </Button>
      </Group>
    </Stack>
  );
}
