import { Anchor, Stack, Text } from '@mantine/core';
import type { FieldTypeRegistry, ResolvedFieldType } from '@symbolon/field-types';
import type { AnswerIssue, ElementView } from '@symbolon/flows';
import type { PluginFields } from '@symbolon/sdk/device';
import type { ReactNode } from 'react';
import type { AllGiven, Given } from '../../platform/flows/step.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { useExample } from './example.ts';
import { FieldInput, typedOf } from './field-input.tsx';
import { FilesInput } from './files-input.tsx';
import { PluginInput } from './plugin-input.tsx';

export type UpdateGiven = (slug: string, next: (now: Given | undefined) => Given | undefined) => void;

/** What stands under the input of a field, as another way to fill it in. */
export type Beside = (field: {
  element: Extract<ElementView, { kind: 'field' }>;
  type: ResolvedFieldType;
  give: (answer: Given | undefined) => void;
}) => ReactNode;

/** The texts and fields of the step, in its order. */
export function StepElements(props: {
  fieldTypes: FieldTypeRegistry;
  plugins: PluginFields;
  elements: readonly ElementView[];
  given: AllGiven;
  issues: readonly AnswerIssue[];
  update: UpdateGiven;
  reading: (by: 1 | -1) => void;
  beside?: Beside | undefined;
}) {
  const { fieldTypes, plugins, elements, given, issues, update, reading, beside } = props;
  const { t } = useInsideText();
  return elements.map((element, index) => {
    if (element.kind === 'text')
      // biome-ignore lint/suspicious/noArrayIndexKey: texts have no keys, and stay in their order
      return <Body key={index} pieces={element.pieces} />;
    const issue = issues.find(({ slug }) => slug === element.slug);
    const common = {
      answer: given.get(element.slug),
      give: (answer: Given | undefined) => update(element.slug, () => answer),
    };
    return element.kind === 'plugin' ? (
      <PluginInput
        key={element.slug}
        plugins={plugins}
        element={element}
        {...common}
        error={issue && t(`flows.issue.${issue.code}`)}
        answer={common.answer?.kind === 'plugin' ? common.answer : undefined}
      />
    ) : (
      <FieldElement
        key={element.slug}
        element={element}
        type={fieldTypes.resolve(element.fieldType)}
        issue={issue}
        beside={beside}
        update={(next) => update(element.slug, next)}
        reading={reading}
        {...common}
      />
    );
  });
}

/** A text with its values in it. */
function Body({ pieces }: { pieces: Extract<ElementView, { kind: 'text' }>['pieces'] }) {
  const { t } = useInsideText();
  return (
    <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
      {pieces.map((piece, index) =>
        piece.kind === 'link' && piece.href !== null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces stay in their order
          <span key={index}>
            <Anchor href={piece.href} target="_blank" rel="noopener noreferrer">
              {piece.text}
            </Anchor>{' '}
            ({piece.host})
          </span>
        ) : piece.kind === 'missing' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces stay in their order
          <Text key={index} span c="dimmed" fs="italic" title={t('flows.notFilled')}>
            {piece.text}
          </Text>
        ) : (
          piece.text
        ),
      )}
    </Text>
  );
}

type FieldProps = {
  element: Extract<ElementView, { kind: 'field' }>;
  type: ResolvedFieldType | undefined;
  beside: Beside | undefined;
  answer: Given | undefined;
  give: (answer: Given | undefined) => void;
  update: (next: (now: Given | undefined) => Given | undefined) => void;
  reading: (by: 1 | -1) => void;
  issue: AnswerIssue | undefined;
};

function FieldElement({ element, type, beside, answer, give, update, reading, issue }: FieldProps) {
  const { t } = useInsideText();
  const exampleOf = useExample();
  if (type === undefined) return null;
  const example = issue?.code === 'value_invalid' ? exampleOf(type) : undefined;
  const error = issue && [t(`flows.issue.${issue.code}`), example].filter(Boolean).join(' ');
  const { required, min, max } = element;
  const label = required ? element.label : t('flows.optional', { label: element.label });
  if (type.lane !== 'inline') {
    const contentOf = (given: Given | undefined) =>
      given?.kind === 'file' ? given.content : { type, chosen: {}, entries: {} };
    return (
      <Stack gap="xs" role="group" aria-label={label}>
        <Text fw={550}>{label}</Text>
        <FilesInput
          type={type}
          label={label}
          content={contentOf(answer)}
          change={(next) =>
            update((now) => {
              const { chosen, entries } = next(contentOf(now));
              return Object.keys(chosen).length === 0
                ? undefined
                : { kind: 'file', content: { type, chosen, entries } };
            })
          }
          reading={reading}
        />
        {error !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
      </Stack>
    );
  }
  const hint =
    min !== null && max !== null
      ? t('flows.between', { least: min, most: max })
      : min !== null
        ? t('flows.least', { least: min })
        : max !== null
          ? t('flows.most', { most: max })
          : undefined;
  return (
    <Stack gap={6}>
      <FieldInput
        type={type}
        label={label}
        options={element.choices ?? undefined}
        required={false}
        hint={hint}
        error={error}
        value={answer?.kind === 'value' ? answer.value : typedOf(type, '')}
        change={(value) => give({ kind: 'value', value })}
      />
      {beside?.({ element, type, give })}
    </Stack>
  );
}
