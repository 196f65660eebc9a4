import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { NewField } from '../../parts/answers/new-field.tsx';
import { useOpenFields } from '../../parts/answers/use-open-fields.ts';
import { useFieldLabel } from '../../parts/field-label.ts';
import { PageHead } from '../../parts/frame.tsx';
import { LoadedList } from '../../parts/loaded.tsx';
import { MeFrame } from '../../parts/me-frame.tsx';
import { Section } from '../../parts/section.tsx';
import type { Fields } from '../../platform/fields.ts';
import { useText } from '../../text/index.tsx';
import { FieldCard } from './field-card.tsx';

/** What the person keeps to answer with. */
export function FieldsPage() {
  return (
    <MeFrame>
      <MyFields />
    </MeFrame>
  );
}

function MyFields() {
  const { t } = useText();
  const read = useOpenFields();
  const { found: fields, load } = read;
  return (
    <Stack gap="lg">
      <PageHead title={t('fields.title')} lead={t('fields.lead')} />
      <LoadedList
        of={{ ...read, found: fields?.fields }}
        none={t('fields.none')}
        noneText={t('fields.none.text')}
      />
      {fields?.fields.map((field) => (
        <FieldCard key={field.id} field={field} fields={fields} changed={load} />
      ))}
      {fields && <Adding fields={fields} added={load} />}
    </Stack>
  );
}

/** A new field: what it is, what it is called, and its value or file. */
function Adding({ fields, added }: { fields: Fields; added: () => Promise<void> }) {
  const { t } = useText();
  const labelOf = useFieldLabel();
  const [type, setType] = useState<string | null>(null);
  const [label, setLabel] = useState('');
  const close = () => {
    setType(null);
    setLabel('');
  };
  // A choice needs options, which the services that ask for it have.
  const types = fields.types.rows.filter(
    ({ type: name }) => fields.types.resolved.get(name)?.options?.length !== 0,
  );
  return (
    <Section title={t('fields.add')}>
      <Select
        label={t('fields.type')}
        autoComplete="off"
        searchable
        data={types.map(({ type: value }) => ({ value, label: labelOf(value, fields.types) }))}
        value={type}
        onChange={(chosen) => {
          setType(chosen);
          setLabel(chosen === null ? '' : labelOf(chosen, fields.types));
        }}
      />
      {type !== null && (
        <>
          <TextInput
            label={t('fields.label')}
            autoComplete="off"
            maxLength={LABEL_MOST}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          {label.trim() === '' ? (
            <Group>
              <Button variant="subtle" color="gray" onClick={close}>
                {t('app.cancel')}
              </Button>
            </Group>
          ) : (
            <NewField
              key={type}
              type={type}
              label={label.trim()}
              fields={fields}
              submit={t('fields.save')}
              done={() => {
                close();
                added();
              }}
              cancel={close}
            />
          )}
        </>
      )}
    </Section>
  );
}

const LABEL_MOST = 100;
