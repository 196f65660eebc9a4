import { Button, Group, NativeSelect, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { Audience, RequestFieldInput } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { useState } from 'react';
import type { FieldTypes } from '../../../platform/fields.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { useRowLabel } from './row-label.ts';

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
const SLUG = /^[a-z0-9_]{1,40}$/;
/** In days: a hundred years. */
const AGE_MOST = 36_500;

/** One question with all its rules. Each change is in the draft at once. */
export function RowSheet({ row, isNew, types, taken, close, change, remove }: Props) {
  const { t } = usePortalText();
  const labelOf = useRowLabel(types);
  const need = row.mandatory_connected ? 'connected' : row.mandatory_provide ? 'provide' : 'optional';
  return (
    <Sheet title={labelOf(row)} opened close={close} closeLabel={t('app.close')}>
      <Stack>
        <TextInput
          label={t('asks.question')}
          description={t('asks.question.hint')}
          autoComplete="off"
          maxLength={200}
          value={row.label}
          onChange={(event) => change({ ...row, label: event.currentTarget.value })}
        />
        <ReasonInput row={row} change={change} />
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
              <Radio
                key={each}
                value={each}
                label={t(`asks.need.${each}`)}
                // Only an answer that stays live can be required for so long.
                disabled={each === 'connected' && row.one_time === true}
              />
            ))}
          </Stack>
        </Radio.Group>
        {row.plugin ? <Text size="sm">{t('asks.plugins.lead')}</Text> : <Rules row={row} change={change} />}
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

/** Why it is asked. Without a word of it nothing is said. */
function ReasonInput({ row, change }: Pick<Props, 'row' | 'change'>) {
  const { t } = usePortalText();
  const { reason, ...others } = row;
  return (
    <TextInput
      label={t('asks.reason')}
      description={t('asks.reason.hint')}
      autoComplete="off"
      maxLength={limits.requestReasonMost}
      value={reason ?? ''}
      onChange={({ currentTarget: { value } }) =>
        change(value.trim() === '' ? others : { ...others, reason: value })
      }
    />
  );
}

/** What is chosen of a question that people answer themselves. */
function Rules({ row, change }: Pick<Props, 'row' | 'change'>) {
  const { t } = usePortalText();
  const { verified_max_age_days: days, ...others } = row;
  return (
    <>
      <Radio.Group
        label={t('asks.howLong')}
        value={row.one_time ? 'once' : 'live'}
        onChange={(chosen) =>
          change(
            chosen === 'once'
              ? { ...row, one_time: true, mandatory_connected: false }
              : { ...row, one_time: false },
          )
        }
      >
        <Stack gap={6} mt={6}>
          <Radio value="live" label={t('asks.howLong.live')} />
          <Radio value="once" label={t('asks.howLong.once')} />
        </Stack>
      </Radio.Group>
      <Switch
        label={t('asks.verified')}
        checked={row.verified ?? false}
        onChange={(event) => change({ ...others, verified: event.currentTarget.checked })}
      />
      {row.verified && (
        <TakenInput
          label={t('asks.age')}
          hint={t('asks.age.hint')}
          value={days ? String(days) : ''}
          isRight={(text) => text === '' || (/^[1-9]\d*$/.test(text) && Number(text) <= AGE_MOST)}
          change={(text) => change(text === '' ? others : { ...others, verified_max_age_days: Number(text) })}
          inputMode="numeric"
          maxLength={5}
        />
      )}
      <NativeSelect
        autoComplete="off"
        label={t('asks.audience')}
        value={row.audience ?? 'both'}
        data={AUDIENCES.map((value) => ({ value, label: t(`settings.audience.${value}`) }))}
        onChange={(event) => change({ ...row, audience: event.currentTarget.value as Audience })}
      />
    </>
  );
}

function SlugInput(props: {
  slug: string;
  isNew: boolean;
  taken: readonly string[];
  change: (slug: string) => void;
}) {
  const { slug, isNew, taken, change } = props;
  const { t } = usePortalText();
  return isNew ? (
    <TakenInput
      label={t('asks.slug')}
      hint={t('asks.slug.hint')}
      value={slug}
      isRight={(text) => SLUG.test(text) && !taken.includes(text)}
      change={change}
      maxLength={40}
    />
  ) : (
    <Text size="sm" c="dimmed">
      {t('asks.slug')}: {slug}
    </Text>
  );
}

/** What is typed freely, and taken whenever it is right. */
function TakenInput(props: {
  label: string;
  hint: string;
  value: string;
  isRight: (text: string) => boolean;
  change: (text: string) => void;
  maxLength: number;
  inputMode?: 'numeric';
}) {
  const { label, hint, value, isRight, change, ...limits } = props;
  const [typed, setTyped] = useState(value);
  return (
    <TextInput
      {...limits}
      label={label}
      description={hint}
      autoComplete="off"
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
