import { Button, Group, NativeSelect, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { Audience, RequestFieldInput } from '@symbolon/protocol';
import { useState } from 'react';
import { useFieldLabel } from '../../../parts/field-label.ts';
import type { FieldTypes } from '../../../platform/fields.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';

interface Props {
  readonly row: RequestFieldInput;
  /** Its slug may still be chosen. */
  readonly isNew: boolean;
  readonly types: FieldTypes;
  readonly taken: readonly string[];
  readonly close: () => void;
  readonly change: (row: RequestFieldInput) => void;
  readonly remove: () => void;
}

const NEEDS = ['optional', 'provide', 'connected'] as const;
const AUDIENCES = ['both', 'person', 'company'] as const;
const SLUG = '[a-z0-9_]{1,40}';

/** One question with all its rules. Each change is in the draft at once. */
export function RowSheet({ row, isNew, types, taken, close, change, remove }: Props) {
  const { t } = usePortalText();
  const labelOf = useFieldLabel();
  const need = row.mandatory_connected ? 'connected' : row.mandatory_provide ? 'provide' : 'optional';
  return (
    <Sheet title={labelOf(row.type, types)} opened close={close} closeLabel={t('app.close')}>
      <Stack>
        <TextInput
          label={t('asks.question')}
          description={t('asks.question.hint')}
          autoComplete="off"
          maxLength={200}
          value={row.label}
          onChange={(event) => change({ ...row, label: event.currentTarget.value })}
        />
        <SlugInput slug={row.slug} isNew={isNew} taken={taken} change={(slug) => change({ ...row, slug })} />
        <Radio.Group
          label={t('asks.need')}
          value={need}
          onChange={(chosen) =>
            change({
              ...row,
              mandatory_provide: chosen !== 'optional',
              mandatory_connected: chosen === 'connected',
            })
          }
        >
          <Stack gap={6} mt={6}>
            {NEEDS.map((each) => (
              <Radio key={each} value={each} label={t(`asks.need.${each}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group
          label={t('asks.howLong')}
          value={row.one_time ? 'once' : 'live'}
          onChange={(chosen) => change({ ...row, one_time: chosen === 'once' })}
        >
          <Stack gap={6} mt={6}>
            <Radio value="live" label={t('asks.howLong.live')} />
            <Radio value="once" label={t('asks.howLong.once')} />
          </Stack>
        </Radio.Group>
        <Switch
          label={t('asks.verified')}
          checked={row.verified ?? false}
          onChange={(event) => change({ ...row, verified: event.currentTarget.checked })}
        />
        <NativeSelect
          autoComplete="off"
          label={t('asks.audience')}
          value={row.audience ?? 'both'}
          data={AUDIENCES.map((value) => ({ value, label: t(`settings.audience.${value}`) }))}
          onChange={(event) => change({ ...row, audience: event.currentTarget.value as Audience })}
        />
        <Group justify="space-between">
          <Button onClick={close}>{t('asks.done')}</Button>
          <Button variant="subtle" color="red" onClick={remove}>
            {t('asks.remove')}
          </Button>
        </Group>
      </Stack>
    </Sheet>
  );
}

/** It is typed freely, and taken when it can be one. */
function SlugInput(props: {
  slug: string;
  isNew: boolean;
  taken: readonly string[];
  change: (slug: string) => void;
}) {
  const { slug, isNew, taken, change } = props;
  const { t } = usePortalText();
  const [typed, setTyped] = useState(slug);
  if (!isNew)
    return (
      <Text size="sm" c="dimmed">
        {t('asks.slug')}: {slug}
      </Text>
    );
  const isRight = (text: string) => new RegExp(`^${SLUG}$`).test(text) && !taken.includes(text);
  return (
    <TextInput
      label={t('asks.slug')}
      description={t('asks.slug.hint')}
      autoComplete="off"
      maxLength={40}
      value={typed}
      error={!isRight(typed)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        if (isRight(text)) change(text);
      }}
    />
  );
}
