import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ReplyTemplate } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { type FormEvent, useState } from 'react';
import { ActButtons } from '../../../parts/act-buttons.tsx';
import { LoadedList } from '../../../parts/loaded.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem, useAct } from '../../../parts/problem.tsx';
import { deleteReplyText, keepReplyText, replyTextsQuery } from '../../../platform/portal/reply-texts.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { List, Row } from '../../../ui/list.tsx';
import { Sheet } from '../../../ui/sheet.tsx';

/** The texts that staff sends again and again: one is put into the message, and they are kept here. */
export function ReplyTexts({
  serviceId,
  insert,
}: {
  serviceId: string;
  insert: (text: ReplyTemplate) => void;
}) {
  const { t } = usePortalText();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <Group>
      <Button variant="default" size="sm" onClick={() => setOpened(true)}>
        {t('replyTexts.insert')}
      </Button>
      <Sheet title={t('replyTexts.title')} opened={opened} close={close} closeLabel={t('app.close')}>
        <Kept
          serviceId={serviceId}
          insert={(text) => {
            insert(text);
            close();
          }}
        />
      </Sheet>
    </Group>
  );
}

function Kept({ serviceId, insert }: { serviceId: string; insert: (text: ReplyTemplate) => void }) {
  const { t } = usePortalText();
  const list = useRead(replyTextsQuery(serviceId));
  const [edited, setEdited] = useState<ReplyTemplate | 'new'>();
  const close = () => setEdited(undefined);
  if (edited !== undefined)
    return <TextForm serviceId={serviceId} text={edited === 'new' ? undefined : edited} close={close} />;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('replyTexts.lead')}
      </Text>
      <LoadedList of={list} none={t('replyTexts.none')} noneText={t('replyTexts.none.text')}>
        {(texts) => (
          <List label={t('replyTexts.title')}>
            {texts.map((text) => (
              <Row
                key={text.id}
                title={text.name}
                detail={text.body.slice(0, 80)}
                trailing={
                  <Group gap="xs" wrap="nowrap">
                    <Button
                      size="sm"
                      aria-label={`${t('replyTexts.use')}: ${text.name}`}
                      onClick={() => insert(text)}
                    >
                      {t('replyTexts.use')}
                    </Button>
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={`${t('replyTexts.change')}: ${text.name}`}
                      onClick={() => setEdited(text)}
                    >
                      {t('replyTexts.change')}
                    </Button>
                  </Group>
                }
              />
            ))}
          </List>
        )}
      </LoadedList>
      <Group>
        <Button variant="default" onClick={() => setEdited('new')}>
          {t('replyTexts.new')}
        </Button>
      </Group>
    </Stack>
  );
}

/** One text: another one, or one that is kept, which can be deleted here. */
function TextForm({
  serviceId,
  text,
  close,
}: {
  serviceId: string;
  text: ReplyTemplate | undefined;
  close: () => void;
}) {
  const { t } = usePortalText();
  const { busy, error, run } = useAct();
  const { value, change, drop } = useKeptForm(`reply-text.${text?.id ?? serviceId}`, () => ({
    name: text?.name ?? '',
    body: text?.body ?? '',
  }));
  const done = (act: () => Promise<void>) =>
    run(async () => {
      await act();
      drop();
      close();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    done(() => keepReplyText(serviceId, text?.id, { name: value.name.trim(), body: value.body }));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('replyTexts.name')}
          required
          autoComplete="off"
          maxLength={limits.replyTemplateNameMost}
          value={value.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Textarea
          label={t('replyTexts.body')}
          description={t('replyTexts.body.hint', { name: '{name}' })}
          required
          autoComplete="off"
          autosize
          minRows={4}
          maxRows={10}
          maxLength={limits.replyTemplateTextMost}
          value={value.body}
          onChange={(event) => change({ body: event.currentTarget.value })}
        />
        <Problem error={error} />
        <ActButtons
          label={t('replyTexts.keep')}
          busy={busy}
          disabled={value.name.trim() === '' || value.body.trim() === ''}
          cancel={() => {
            drop();
            close();
          }}
        />
        {text !== undefined && (
          <Group>
            <Button
              variant="subtle"
              color="red"
              disabled={busy}
              onClick={() => done(() => deleteReplyText(serviceId, text.id))}
            >
              {t('replyTexts.delete')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
