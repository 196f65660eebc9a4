import { Group, Stack, Text } from '@mantine/core';
import type { FlowExpression } from '@symbolon/flows';
import {
  type DateUnit,
  dateUnits,
  type ExpressionType,
  expressionTypes,
  type FlowValueType,
  flowValueTypes,
  type MathOperator,
  mathOperators,
} from '@symbolon/protocol/constants';
import { usePortalText } from '../../../text/portal/index.tsx';
import { answerChoices } from './answer-choices.ts';
import classes from './condition-form.module.css';
import { ConditionForm } from './condition-form.tsx';
import { useEditor } from './context.ts';
import { replaced, without } from './edits.ts';
import { Line, Pick, Sign, Small } from './inputs.tsx';
import { expressionText } from './sentence.ts';

type Props<T = FlowExpression> = {
  label: string;
  value: T;
  change: (value: FlowExpression) => void;
  depth?: number;
};
type Of<Type extends ExpressionType> = Extract<FlowExpression, { type: Type }>;

const DEPTH_MOST = 4;
const TEXT: FlowExpression = { type: 'lit', value_type: 'text', value: '' };

/** What an expression of each type begins as. */
const BEGUN: { readonly [Type in ExpressionType]: Of<Type> } = {
  lit: { type: 'lit', value_type: 'text', value: '' },
  ref: { type: 'ref', key: '' },
  today: { type: 'today' },
  // biome-ignore lint/suspicious/noThenProperty: it is the name of the member.
  if: { type: 'if', cases: [{ when: null, then: TEXT }], else: TEXT },
  concat: { type: 'concat', parts: [TEXT, TEXT], sep: ' ' },
  datediff: { type: 'datediff', unit: 'days', from: { type: 'ref', key: '' }, to: { type: 'today' } },
  math: {
    type: 'math',
    op: 'add',
    args: [
      { type: 'ref', key: '' },
      { type: 'lit', value_type: 'number', value: 1 },
    ],
  },
};

/** Builds an expression of a constant. */
export function ExpressionForm(props: Props) {
  const { label, value, change, depth = 0 } = props;
  const texts = usePortalText();
  const { t } = texts;
  const { names } = useEditor();
  if (depth > DEPTH_MOST) return <Text size="sm">{expressionText(value, names, texts)}</Text>;
  return (
    <Stack gap="xs" className={depth > 0 ? classes.group : undefined}>
      <Pick
        label={label}
        value={value.type}
        choices={expressionTypes.map((type) => ({ value: type, label: t(`expression.type.${type}`) }))}
        change={(type) => change(BEGUN[type as ExpressionType])}
      />
      <Members {...props} depth={depth + 1} />
    </Stack>
  );
}

function Members({ value, ...more }: Props) {
  switch (value.type) {
    case 'lit':
      return <LiteralForm value={value} {...more} />;
    case 'ref':
      return <ReferenceForm value={value} {...more} />;
    case 'if':
      return <CasesForm value={value} {...more} />;
    case 'concat':
      return <PartsForm value={value} {...more} />;
    case 'datediff':
      return <DatesForm value={value} {...more} />;
    case 'math':
      return <MathForm value={value} {...more} />;
    default:
      return null;
  }
}

function LiteralForm({ value, change }: Props<Of<'lit'>>) {
  const { t } = usePortalText();
  const { value_type: type } = value;
  const text = value.value === null || value.value === undefined ? '' : String(value.value);
  return (
    <Group grow gap="xs" align="start">
      <Pick
        isBare
        label={t('expression.type')}
        value={type}
        choices={flowValueTypes.map((each) => ({ value: each, label: t(`value.${each}`) }))}
        change={(next) =>
          change({ ...value, value_type: next as FlowValueType, value: next === 'boolean' ? 'true' : text })
        }
      />
      {type === 'boolean' ? (
        <Pick
          isBare
          label={t('condition.value')}
          value={text}
          choices={['true', 'false'].map((each) => ({
            value: each,
            label: t(each === 'true' ? 'value.yes' : 'value.no'),
          }))}
          change={(next) => change({ ...value, value: next })}
        />
      ) : (
        <Line
          isBare
          label={t('condition.value')}
          type={type === 'number' || type === 'date' ? type : 'text'}
          value={text}
          change={(next) => change({ ...value, value: next })}
        />
      )}
    </Group>
  );
}

function ReferenceForm({ value, change }: Props<Of<'ref'>>) {
  const { t } = usePortalText();
  const { definition } = useEditor();
  return (
    <Pick
      isBare
      label={t('condition.field')}
      placeholder={t('condition.field.choose')}
      value={value.key}
      choices={answerChoices(definition)}
      change={(key) => change({ type: 'ref', key })}
    />
  );
}

function CasesForm({ value, change, depth = 0 }: Props<Of<'if'>>) {
  const { t } = usePortalText();
  const { cases } = value;
  return (
    <Stack gap="sm">
      {cases.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cases have no id of their own
        <Stack key={index} gap="xs" className={classes.group}>
          <ConditionForm
            label={t('expression.when')}
            value={each.when}
            change={(when) =>
              change({ ...value, cases: replaced(cases, index, { ...each, when: when ?? null }) })
            }
          />
          <ExpressionForm
            label={t('expression.then')}
            value={each.then}
            depth={depth}
            change={(then) => change({ ...value, cases: replaced(cases, index, { ...each, then }) })}
          />
          <Group>
            <Small act={() => change({ ...value, cases: without(cases, index) })}>
              {t('expression.case.remove')}
            </Small>
          </Group>
        </Stack>
      ))}
      <Group>
        <Small
          // biome-ignore lint/suspicious/noThenProperty: it is the name of the member.
          act={() => change({ ...value, cases: [...cases, { when: null, then: TEXT }] })}
        >
          {t('expression.case.add')}
        </Small>
      </Group>
      <ExpressionForm
        label={t('expression.else')}
        value={value.else ?? TEXT}
        depth={depth}
        change={(otherwise) => change({ ...value, else: otherwise })}
      />
    </Stack>
  );
}

function PartsForm({ value, change, depth = 0 }: Props<Of<'concat'>>) {
  const { t } = usePortalText();
  return (
    <Stack gap="xs">
      <List list={value.parts} depth={depth} change={(parts) => change({ ...value, parts })} />
      <Line label={t('expression.sep')} value={value.sep ?? ''} change={(sep) => change({ ...value, sep })} />
    </Stack>
  );
}

function DatesForm({ value, change, depth = 0 }: Props<Of<'datediff'>>) {
  const { t } = usePortalText();
  return (
    <Stack gap="xs">
      <Pick
        label={t('expression.unit')}
        value={value.unit}
        choices={dateUnits.map((unit) => ({ value: unit, label: t(`expression.unit.${unit}`) }))}
        change={(unit) => change({ ...value, unit: unit as DateUnit })}
      />
      <ExpressionForm
        label={t('expression.from')}
        value={value.from}
        depth={depth}
        change={(from) => change({ ...value, from })}
      />
      <ExpressionForm
        label={t('expression.to')}
        value={value.to}
        depth={depth}
        change={(to) => change({ ...value, to })}
      />
    </Stack>
  );
}

function MathForm({ value, change, depth = 0 }: Props<Of<'math'>>) {
  const { t } = usePortalText();
  return (
    <Stack gap="xs">
      <Pick
        label={t('expression.math')}
        value={value.op}
        choices={mathOperators.map((op) => ({ value: op, label: t(`expression.math.${op}`) }))}
        change={(op) => change({ ...value, op: op as MathOperator })}
      />
      <List list={value.args} depth={depth} change={(args) => change({ ...value, args })} />
    </Stack>
  );
}

function List(props: {
  list: readonly FlowExpression[];
  change: (list: readonly FlowExpression[]) => void;
  depth: number;
}) {
  const { list, change, depth } = props;
  const { t } = usePortalText();
  return (
    <Stack gap="xs">
      {list.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id of their own
        <Group key={index} gap={4} wrap="nowrap" align="start">
          <div className={classes.wide}>
            <ExpressionForm
              label={t('expression.part', { number: index + 1 })}
              value={each}
              depth={depth}
              change={(next) => change(replaced(list, index, next))}
            />
          </div>
          <Sign
            of="remove"
            label={t('expression.part.remove', { number: index + 1 })}
            act={() => change(without(list, index))}
          />
        </Group>
      ))}
      <Group>
        <Small act={() => change([...list, TEXT])}>{t('expression.part.add')}</Small>
      </Group>
    </Stack>
  );
}
