import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import type { Service } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import type { FormEvent } from 'react';
import { LoadedList } from '../../../parts/loaded.tsx';
import { OneByOne, useOneByOne } from '../../../parts/portal/one-by-one.tsx';
import { usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { ServiceKeyForm } from '../../../parts/portal/service-key-form.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Section } from '../../../parts/section.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { useHasKey } from '../../../platform/portal/copies.ts';
import { DOCUMENTS, type Owing, owingQuery, remind } from '../../../platform/portal/reminders.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { useRead } from '../../../platform/read.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { ServiceFrame } from '../service/service-frame.tsx';

export function RemindPage() {
  return <ServiceFrame>{(service) => <Remind key={service.id} service={service} />}</ServiceFrame>;
}

/** Asks all customers again who have something to sign or accept, each by a message of their own. */
function Remind({ service }: { service: Service }) {
  const { t } = usePortalText();
  const { id } = service;
  const may = mayAs(usePortalLogin(), 'support');
  const isOpen = useHasKey(id);
  return (
    <Page
      title={t('reminding.title')}
      lead={t('reminding.lead')}
      back={
        <BackLink to="/portal/documents" search={{ service: id }}>
          {t('documents.title')}
        </BackLink>
      }
    >
      {!may && <Text>{t('reminding.viewer')}</Text>}
      {may && !isOpen && <ServiceKeyForm serviceId={id} title={t('reminding.key')} />}
      {may && isOpen && <Owed service={service} />}
      <SameByApi {...sameCalls.remind(id)} />
    </Page>
  );
}

function Owed({ service }: { service: Service }) {
  const { t } = usePortalText();
  const list = useRead(owingQuery(service.id));
  return (
    <LoadedList
      of={{ ...list, found: list.found?.owing }}
      none={t('reminding.none')}
      noneText={t('reminding.none.text')}
      height={300}
    >
      {(owing) => <Form service={service} owing={owing} hasMore={list.found?.hasMore === true} />}
    </LoadedList>
  );
}

/** What is written to them, and the connections of those who are left out. */
type Kept = { text: string; spared: readonly string[] };

function Form(props: { service: Service; owing: readonly Owing[]; hasMore: boolean }) {
  const { service, owing, hasMore } = props;
  const { t, count, language } = usePortalText();
  const { work, start } = useOneByOne<Owing>();
  const { value, change, drop } = useKeptForm<Kept>(`remind.${service.id}`, () => ({
    text: t('issued.remind.text', { name: DOCUMENTS }),
    spared: [],
  }));
  const { text, spared } = value;
  const names = new Intl.ListFormat(language);
  const send = (some: readonly Owing[], before = 0) => {
    drop();
    return start(some, (one) => remind(service, one, text.trim(), names), before);
  };
  if (work !== undefined)
    return (
      <OneByOne
        work={work}
        words="reminding"
        retry={send}
        nameOf={({ customer: { connection_id: key, display_name: name } }) => ({ key, name })}
        onward={
          <TextLink to="/portal/documents" search={{ service: service.id }} size="sm">
            {t('issued.backToAll')}
          </TextLink>
        }
      />
    );
  const chosen = owing.filter(({ customer }) => !spared.includes(customer.connection_id));
  const choose = (id: string, isChosen: boolean) =>
    change({ spared: isChosen ? spared.filter((each) => each !== id) : [...spared, id] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(chosen);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Section title={t('reminding.who')} {...(hasMore && { lead: t('reminding.more') })}>
          <Stack gap="sm">
            {owing.map(({ customer: { connection_id: id, display_name: name }, names: waiting }) => (
              <Checkbox
                key={id}
                label={name}
                description={names.format(waiting)}
                checked={!spared.includes(id)}
                onChange={({ currentTarget: { checked } }) => choose(id, checked)}
              />
            ))}
          </Stack>
        </Section>
        <Section title={t('reminding.text')}>
          <Textarea
            label={t('reminding.message')}
            description={t('reminding.message.hint', { documents: DOCUMENTS })}
            autoComplete="off"
            autosize
            minRows={3}
            maxRows={10}
            maxLength={limits.broadcastTextMost}
            value={text}
            onChange={({ currentTarget: { value: next } }) => change({ text: next })}
          />
        </Section>
        <Group>
          <Button type="submit" disabled={chosen.length === 0 || text.trim() === ''}>
            {count('reminding.button', chosen.length)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
