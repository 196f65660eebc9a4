import { Group, Stack, Text } from '@mantine/core';
import type { FlowCondition } from '@symbolon/flows';
import { type ConditionComparison, conditionComparisons } from '@symbolon/protocol/constants';
import { useId } from 'react';
import { usePortalText } from '../../../text/portal/index.tsx';
import { answerChoices, choicesFor, inputFor, isJsonAnswer } from './answer-choices.ts';
import classes from './condition-form.module.css';
import { useEditor } from './context.ts';
import { replaced, without } from './edits.ts';
import { Line, Pick, Sign, Small, Tick } from './inputs.tsx';
import { conditionSentence } from './sentence.ts';

type Part = Exclude<FlowCondition, null>;
type Leaf = Extract<Part, { field: string }>;
type GroupOf = Exclude<Part, Leaf>;
type Props<T> = { value: T; change: (value: T) => void };

/** Deeper groups are shown as a sentence: they are made by programs. */
const DEPTH_MOST = 4;
const NEW: Leaf = { op: 'eq', field: '', value: '' };
const isLeaf = (part: Part): part is Leaf => !('children' in part);

/** Builds a condition, and says what it comes to. */
export function ConditionForm({
  label,
  value,
  change,
}: Props<FlowCondition | undefined> & { label: string }) {
  const texts = usePortalText();
  const { t } = texts;
  const { names } = useEditor();
  const heading = useId();
  return (
    <Stack role="group" aria-labelledby={heading} gap="xs">
      <Text id={heading} size="sm" fw={600}>
        {label}
      </Text>
      <Text size="sm" className={classes.sentence} data-condition>
        {conditionSentence(value, names, texts)}
      </Text>
      {value ? (
        <PartForm value={value} change={change} remove={() => change(null)} depth={0} />
      ) : (
        <Group>
          <Small act={() => change(NEW)}>{t('condition.add')}</Small>
        </Group>
      )}
      {value && isLeaf(value) && (
        <Group>
          <Small act={() => change({ op: 'and', children: [value, NEW] })}>{t('condition.add')}</Small>
        </Group>
      )}
    </Stack>
  );
}

type PartProps<T> = Props<T> & { remove: () => void; depth: number };

function PartForm({ value, change, ...more }: PartProps<Part> & { change: (value: Part) => void }) {
  const texts = usePortalText();
  const { names } = useEditor();
  if (more.depth > DEPTH_MOST) return <Text size="sm">{conditionSentence(value, names, texts)}</Text>;
  return isLeaf(value) ? (
    <LeafForm value={value} change={change} {...more} />
  ) : (
    <GroupForm value={value} change={change} {...more} />
  );
}

function GroupForm({ value, change, remove, depth }: PartProps<GroupOf>) {
  const { t } = usePortalText();
  const { op, children } = value;
  const set = (next: readonly FlowCondition[]) => change({ op, children: next });
  return (
    <Stack gap="xs" className={classes.group}>
      <Group gap="xs" wrap="nowrap">
        <Pick
          isBare
          label={t('condition.group')}
          value={op}
          choices={(['and', 'or', 'not'] as const).map((each) => ({
            value: each,
            label: t(`condition.group.${each}`),
          }))}
          change={(next) => change({ op: next as GroupOf['op'], children })}
        />
        <Sign of="remove" label={t('condition.group.remove')} act={remove} />
      </Group>
      {children.map((child, index) =>
        child === null ? null : (
          <PartForm
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id of their own
            key={index}
            value={child}
            change={(next) => set(replaced(children, index, next))}
            remove={() => set(without(children, index))}
            depth={depth + 1}
          />
        ),
      )}
      {(op !== 'not' || children.length === 0) && (
        <Group gap="xs">
          <Small act={() => set([...children, NEW])}>{t('condition.add')}</Small>
          {depth < DEPTH_MOST && (
            <Small act={() => set([...children, { op: 'or', children: [NEW] }])}>
              {t('condition.addGroup')}
            </Small>
          )}
        </Group>
      )}
    </Stack>
  );
}

function LeafForm({ value, change, remove }: PartProps<Leaf>) {
  const { t } = usePortalText();
  const { definition, surroundings } = useEditor();
  const { op, field } = value;
  const of = (next: Partial<Leaf>) => change({ ...value, ...next });
  const withOp = (next: ConditionComparison) => {
    const isList = next === 'in' || next === 'nin';
    if (next === 'answered' || next === 'empty') return change({ op: next, field });
    if (isList === Array.isArray(value.value)) return of({ op: next, value: value.value ?? '' });
    const first = Array.isArray(value.value) ? (value.value[0] ?? '') : value.value;
    return of({ op: next, value: isList ? (first === undefined || first === '' ? [] : [first]) : first });
  };
  return (
    <Stack gap={6} className={classes.leaf}>
      <Group gap="xs" wrap="nowrap" align="start">
        <div className={classes.wide}>
          <Pick
            isBare
            label={t('condition.field')}
            placeholder={t('condition.field.choose')}
            value={field}
            choices={answerChoices(definition)}
            change={(next) => of({ field: next })}
          />
        </div>
        <Sign of="remove" label={t('condition.remove')} act={remove} />
      </Group>
      <Pick
        isBare
        label={t('condition.op')}
        value={op}
        choices={conditionComparisons.map((each) => ({ value: each, label: t(`condition.op.${each}`) }))}
        change={(next) => withOp(next as ConditionComparison)}
      />
      {op !== 'answered' && op !== 'empty' && <ValueForm value={value} change={of} />}
      {isJsonAnswer(definition, field, surroundings.fieldTypes) && (
        <Text size="sm" c="dimmed">
          {t('condition.raw')}
        </Text>
      )}
    </Stack>
  );
}

/** What the answer is compared with: one of its choices where it has some. */
function ValueForm({
  value: { op, field, value },
  change,
}: {
  value: Leaf;
  change: (next: Partial<Leaf>) => void;
}) {
  const { t, language } = usePortalText();
  const { definition, surroundings } = useEditor();
  const choices = choicesFor(definition, field, surroundings.fieldTypes, op, language);
  const isList = op === 'in' || op === 'nin';
  const listed = Array.isArray(value) ? value.map(String) : [];
  if (isList && choices !== undefined) {
    return (
      <Stack gap={6} role="group" aria-label={t('condition.value')}>
        {choices.map((choice) => (
          <Tick
            key={choice.value}
            label={choice.label}
            value={listed.includes(choice.value)}
            change={(isOn) =>
              change({
                value: isOn ? [...listed, choice.value] : listed.filter((each) => each !== choice.value),
              })
            }
          />
        ))}
      </Stack>
    );
  }
  if (isList) {
    return (
      <Line
        isBare
        label={t('condition.values')}
        description={t('condition.values.hint')}
        value={listed.join(', ')}
        change={(text) => change({ value: text.split(/,\s?/) })}
      />
    );
  }
  const text = value === undefined || value === null ? '' : String(value);
  if (choices !== undefined)
    return (
      <Pick
        isBare
        label={t('condition.value')}
        placeholder={t('condition.value.choose')}
        value={text}
        choices={choices}
        change={(next) => change({ value: next })}
      />
    );
  const type = inputFor(definition, field, surroundings.fieldTypes);
  return (
    <Line
      isBare
      label={t('condition.value')}
      type={type}
      value={text}
      change={(next) => change({ value: next })}
    />
  );
}
