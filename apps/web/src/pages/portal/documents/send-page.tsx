import { Button, Checkbox, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { ServiceCustomer } from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ChooseFile } from '../../../parts/portal/choose-file.tsx';
import { OneByOne, useOneByOne } from '../../../parts/portal/one-by-one.tsx';
import { PortalPage, usePortalLogin } from '../../../parts/portal/portal-page.tsx';
import { SameByApi } from '../../../parts/portal/same-by-api.tsx';
import { useKeptForm } from '../../../parts/portal/use-kept-form.ts';
import { Problem } from '../../../parts/problem.tsx';
import { Section } from '../../../parts/section.tsx';
import { TextLink } from '../../../parts/text-link.tsx';
import { FILES_MOST } from '../../../platform/chosen-file.ts';
import { sendDocument } from '../../../platform/portal/copies.ts';
import { sameCalls } from '../../../platform/portal/same-calls.ts';
import { mayAs } from '../../../platform/portal/session.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { BackLink, Page } from '../../../ui/page.tsx';
import { Recipients } from './recipients.tsx';

/** What a customer is to do with it, and what that makes of it (wire 11.1). */
const KINDS = {
  read: { kind: 'document' },
  sign: { kind: 'agreement', requires_signature: true },
  accept: { kind: 'agreement', requires_acceptance: true },
  subscribe: { kind: 'subscription', requires_acceptance: true },
} as const;
type Kind = keyof typeof KINDS;

type What = { name: string; kind: Kind; until: string; isCancellable: boolean };
type Kept = What & { chosen: readonly ServiceCustomer[] };
const NOTHING: Kept = { name: '', kind: 'sign', until: '', isCancellable: false, chosen: [] };

export function SendPage() {
  return (
    <PortalPage>
      <Send />
    </PortalPage>
  );
}

/** Sends a PDF to one customer or to many: each copy is sealed in this browser to the key of the one it is for. */
function Send() {
  const { t } = usePortalText();
  const { serviceId } = useParams({ from: '/portal/services/$serviceId/documents/new' });
  const may = mayAs(usePortalLogin(), 'developer');
  return (
    <Page
      title={t('issued.send')}
      lead={t('issued.send.lead')}
      back={<BackLink to="/portal/documents">{t('documents.title')}</BackLink>}
    >
      {may ? <Form serviceId={serviceId} /> : <Text>{t('issued.send.viewer')}</Text>}
      <SameByApi {...sameCalls.sendDocument(serviceId)} />
    </Page>
  );
}

function Form({ serviceId }: { serviceId: string }) {
  const { t } = usePortalText();
  const { work, start: send } = useOneByOne<ServiceCustomer>();
  const { value: what, change, drop } = useKeptForm<Kept>(`send.${serviceId}`, () => NOTHING);
  const { name, kind, until, isCancellable, chosen } = what;
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<unknown>();
  const start = async (customers: readonly ServiceCustomer[], before = 0) => {
    if (file === null) return;
    try {
      const bytes = await pdfOf(file);
      const document = {
        ...KINDS[kind],
        name: name.trim(),
        metadata: {
          ...(until !== '' && { valid_until: until }),
          ...(kind !== 'read' && isCancellable && { can_be_cancelled_in_app: true }),
        },
      };
      setError(undefined);
      // From here on it would be sent twice to some.
      drop();
      const copy = { serviceId, document, file: { name: file.name, mimeType: 'application/pdf', bytes } };
      await send(
        customers,
        ({ connection_id: connectionId, user_id: userId }) =>
          sendDocument({ ...copy, to: { connectionId, userId } }),
        before,
      );
    } catch (failure) {
      setError(failure);
    }
  };
  if (work !== undefined)
    return (
      <OneByOne
        work={work}
        words="issued"
        retry={start}
        nameOf={({ connection_id: key, display_name: name }) => ({ key, name })}
        onward={
          <TextLink to="/portal/documents" size="sm">
            {t('issued.backToAll')}
          </TextLink>
        }
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start(chosen);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Section title={t('issued.what')}>
          <WhatForm file={file} setFile={setFile} what={what} change={change} />
        </Section>
        <Section title={t('issued.to')}>
          <Recipients serviceId={serviceId} chosen={chosen} choose={(next) => change({ chosen: next })} />
        </Section>
        <Problem error={error} />
        <Group>
          <Button type="submit" disabled={file === null || name.trim() === '' || chosen.length === 0}>
            {t('issued.send.button', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The file, its name, and what a customer is to do with it. */
function WhatForm(props: {
  file: File | null;
  setFile: (file: File | null) => void;
  what: What;
  change: (part: Partial<What>) => void;
}) {
  const { file, setFile, what, change } = props;
  const { name, kind, until, isCancellable } = what;
  const { t } = usePortalText();
  const choose = (next: File | null) => {
    setFile(next);
    if (next !== null && name === '') change({ name: next.name.replace(/\.pdf$/i, '') });
  };
  return (
    <Stack>
      <ChooseFile label={t('issued.file.choose')} accept="application/pdf" file={file} choose={choose} />
      <TextInput
        label={t('issued.name')}
        autoComplete="off"
        required
        maxLength={200}
        value={name}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      <Radio.Group
        label={t('issued.kind')}
        value={kind}
        onChange={(value) => change({ kind: value as Kind })}
      >
        <Stack gap="xs" mt="xs">
          {(Object.keys(KINDS) as Kind[]).map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`issued.kind.${value}`)}
              description={t(`issued.kind.${value}.text`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        type="date"
        autoComplete="off"
        label={t('issued.until')}
        description={t('issued.until.text')}
        value={until}
        onChange={({ currentTarget: { value } }) => change({ until: value })}
      />
      {kind !== 'read' && (
        <Checkbox
          label={t('issued.cancellable')}
          checked={isCancellable}
          onChange={({ currentTarget: { checked } }) => change({ isCancellable: checked })}
        />
      )}
    </Stack>
  );
}

/** @throws SymbolonError `page.file_empty`, `page.file_too_large`, `page.file_no_pdf` */
async function pdfOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const refusal = (reason: string) =>
    new SymbolonError({ errorKey: `page.file_${reason}`, message: 'This file cannot be sent.' });
  if (file.size === 0) throw refusal('empty');
  if (file.size > FILES_MOST) throw refusal('too_large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 5)) !== '%PDF-') throw refusal('no_pdf');
  return bytes;
}
