import { Group, Stack, Text } from '@mantine/core';
import { type FlowExpression, type FlowField, isExpression } from '@symbolon/flows';
import { FLOW_KEY_PATTERN } from '@symbolon/protocol/constants';
import { useState } from 'react';
import { useFieldLabel } from '../../../parts/field-label.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { choicesFor } from './answer-choices.ts';
import { ConditionForm } from './condition-form.tsx';
import { useEditor } from './context.ts';
import { answerKeys, freeKey, moved, replaced, without } from './edits.ts';
import { ExpressionForm } from './expression-form.tsx';
import { type Choice, KeyLine, Line, Pick, Sign, Small, Tick } from './inputs.tsx';
import classes from './panels.module.css';

type Change = (next: FlowField, member: string) => void;

/** A field of a step. */
export function FieldForm({ field, change }: { field: FlowField; change: Change }) {
  const { t, language } = usePortalText();
  const { definition, surroundings, typeRows } = useEditor();
  const { fieldTypes } = surroundings;
  const labelOf = useFieldLabel();
  const types = fieldTypes
    .order()
    .map((type) => ({ value: type, label: labelOf(type, { rows: typeRows }) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const type = fieldTypes.resolve(field.field_type);
  const isChoice = type?.input === 'list' || type?.input === 'multilist';
  const hasOwn = (type?.options ?? []).length > 0;
  const isDate = type?.input === 'date';
  const isNumber = type?.lineage.includes('number') === true;
  const choices = (isChoice && choicesFor(definition, field.slug, fieldTypes, 'eq', language)) || null;
  return (
    <>
      <Line
        label={t('flow.field.label')}
        value={field.label}
        change={(label) => change({ ...field, label }, 'label')}
      />
      <Pick
        label={t('flow.field.type')}
        value={field.field_type}
        choices={types}
        change={(next) => {
          const { options: _options, default: _default, min: _min, max: _max, ...kept } = field;
          change({ ...kept, field_type: next }, 'type');
        }}
      />
      <Tick
        label={t('flow.field.required')}
        value={field.required}
        change={(required) => change({ ...field, required }, 'required')}
      />
      {isChoice && !hasOwn && <OptionsForm field={field} change={change} />}
      {(isNumber || isDate) && <Bounds field={field} type={isDate ? 'date' : 'number'} change={change} />}
      {type?.lane === 'inline' && type.input !== 'composite' && type.input !== 'multilist' && (
        <DefaultForm
          field={field}
          choices={choices}
          type={isDate ? 'date' : isNumber ? 'number' : 'text'}
          change={change}
        />
      )}
      <KeyLine
        label={t('flow.field.slug')}
        description={t('flow.field.slug.hint', { key: `{{ ${field.slug} }}` })}
        value={field.slug}
        pattern={FLOW_KEY_PATTERN}
        taken={[...answerKeys(definition), 'item']}
        change={(slug) => change({ ...field, slug }, 'slug')}
      />
    </>
  );
}

function DefaultForm(props: {
  field: FlowField;
  choices: readonly Choice[] | null;
  type: 'text' | 'number' | 'date';
  change: Change;
}) {
  const { field, choices, type, change } = props;
  const { t } = usePortalText();
  if (isExpression(field.default))
    return (
      <Computed
        label={t('flow.field.default')}
        value={field.default}
        change={(next) => change({ ...field, default: next ?? null }, 'default')}
      />
    );
  const value = field.default === undefined || field.default === null ? '' : String(field.default);
  const set = (next: string) => {
    const { default: _former, ...kept } = field;
    change(next === '' ? kept : { ...kept, default: next }, 'default');
  };
  return choices === null ? (
    <Line label={t('flow.field.default')} type={type} value={value} change={set} />
  ) : (
    <Pick
      label={t('flow.field.default')}
      value={value}
      choices={[{ value: '', label: t('flow.field.default.none') }, ...choices]}
      change={set}
    />
  );
}

/** The least and the most. A number that is not finished yet is kept as a text. */
function Bounds({ field, type, change }: { field: FlowField; type: 'number' | 'date'; change: Change }) {
  const { t } = usePortalText();
  const set = (bound: 'min' | 'max', text: string) => {
    const { [bound]: _former, ...kept } = field;
    const isNumber = type === 'number' && text.trim() !== '' && String(Number(text)) === text;
    change(text === '' ? kept : { ...kept, [bound]: isNumber ? Number(text) : text }, bound);
  };
  return (
    <Group grow gap="xs" align="start">
      {(['min', 'max'] as const).map((bound) => {
        const value = field[bound] ?? '';
        const label = t(`flow.field.${bound}`);
        if (typeof value === 'object')
          return (
            <Computed
              key={bound}
              label={label}
              value={value}
              change={(next) => change({ ...field, [bound]: next ?? null }, bound)}
            />
          );
        return (
          <Stack key={bound} gap={4}>
            <Line label={label} type={type} value={String(value)} change={(text) => set(bound, text)} />
            <Group>
              <Small act={() => change({ ...field, [bound]: { type: 'ref', key: '' } }, bound)}>
                {t('flow.field.compute')}
              </Small>
            </Group>
          </Stack>
        );
      })}
    </Group>
  );
}

/** A bound or a first answer that is computed from answers. */
function Computed(props: {
  label: string;
  value: FlowExpression;
  change: (next: FlowExpression | undefined) => void;
}) {
  const { t } = usePortalText();
  return (
    <Stack gap={4}>
      <ExpressionForm {...props} />
      <Group>
        <Small act={() => props.change(undefined)}>{t('flow.field.compute.not')}</Small>
      </Group>
    </Stack>
  );
}

type Options = NonNullable<FlowField['options']>;

/** The options of a choice. */
function OptionsForm({ field, change }: { field: FlowField; change: Change }) {
  const { t } = usePortalText();
  const [open, setOpen] = useState<number>();
  const options = field.options ?? [];
  const set = (next: Options, member: string) => change({ ...field, options: next }, `options/${member}`);
  const values = options.map(({ value }) => value);
  return (
    <Stack gap="xs" role="group" aria-label={t('flow.options')}>
      <Text size="sm" fw={500}>
        {t('flow.options')}
      </Text>
      {options.map((option, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the value of an option is typed here
        <div key={place} className={classes.card}>
          <Group gap={4} wrap="nowrap" align="end">
            <Group gap="xs" grow className={classes.name}>
              <Line
                label={t('flow.option.label')}
                value={option.label}
                change={(label) => set(replaced(options, place, { ...option, label }), `${place}/label`)}
              />
              <KeyLine
                label={t('flow.option.value')}
                value={option.value}
                pattern="^.{1,500}$"
                taken={values}
                change={(value) => set(replaced(options, place, { ...option, value }), `${place}/value`)}
              />
            </Group>
            <Sign
              of="up"
              label={t('flow.option.up', { label: option.label })}
              disabled={place === 0}
              act={() => set(moved(options, place, -1), 'order')}
            />
            <Sign
              of="remove"
              label={t('flow.option.remove', { label: option.label })}
              act={() => set(without(options, place), 'order')}
            />
          </Group>
          {option.available_if || open === place ? (
            <ConditionForm
              label={t('flow.option.when')}
              value={option.available_if}
              change={(condition) => {
                const { available_if: _former, ...kept } = option;
                const next =
                  condition === null || condition === undefined ? kept : { ...kept, available_if: condition };
                set(replaced(options, place, next), `${place}/when`);
              }}
            />
          ) : (
            <Group>
              <Small variant="subtle" act={() => setOpen(place)}>
                {t('flow.option.addWhen')}
              </Small>
            </Group>
          )}
        </div>
      ))}
      <AddOptions options={options} set={(next) => set(next, 'order')} />
    </Stack>
  );
}

function AddOptions({ options, set }: { options: Options; set: (next: Options) => void }) {
  const { t } = usePortalText();
  const values = options.map(({ value }) => value);
  return (
    <Group gap="xs">
      <Small
        act={() => {
          const value = freeKey('option', values);
          set([...options, { value, label: t('flow.option.new', { number: options.length + 1 }) }]);
        }}
      >
        {t('flow.option.add')}
      </Small>
      {options.length === 0 && (
        <Small
          act={() =>
            set([
              { value: 'yes', label: t('value.yes') },
              { value: 'no', label: t('value.no') },
            ])
          }
        >
          {t('flow.option.yesNo')}
        </Small>
      )}
    </Group>
  );
}
