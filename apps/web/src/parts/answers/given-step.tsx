import { Paper, Stack, Text } from '@mantine/core';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type ElementView, pluginValues, type StepView } from '@symbolon/flows';
import { type ReactNode, useId } from 'react';
import { useInsideText } from '../../text/inside/index.tsx';
import classes from './given-step.module.css';

interface Props {
  readonly step: StepView;
  readonly fieldTypes: FieldTypeRegistry;
  /** Opens a file. */
  readonly file?: (field: { slug: string; label: string }) => ReactNode;
}

/** A step that was answered, folded: what waits is on the screen first. */
export function GivenStep({ step, fieldTypes, file }: Props) {
  const { t, count } = useInsideText();
  const heading = useId();
  const answered = step.elements.flatMap((element) =>
    element.kind === 'text' || element.answer === null ? [] : [element],
  );
  return (
    <Paper component="details" withBorder px="lg" py="xs" className={classes.given} aria-labelledby={heading}>
      <summary className={classes.summary}>
        <h2 id={heading} className={classes.name}>
          {step.title}
        </h2>
        <span className={classes.count}>
          {answered.length === 0 ? t('flows.given.nothing') : count('flows.given', answered.length)}
        </span>
      </summary>
      <Stack gap="xs" py="xs">
        {answered.map((element) => (
          <div key={element.slug}>
            <Text size="sm" c="dimmed">
              {element.label}
            </Text>
            <Answer element={element} fieldTypes={fieldTypes} {...(file && { file })} />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}

function Answer({ element, fieldTypes, file }: Omit<Props, 'step'> & { element: Answered }) {
  const { t } = useInsideText();
  const text = shown(element, fieldTypes);
  if (text === undefined && file !== undefined) return file(element);
  return <Text style={{ overflowWrap: 'anywhere' }}>{text ?? t('flows.given.file')}</Text>;
}

type Answered = Exclude<ElementView, { kind: 'text' }>;

/** Undefined for a file. */
function shown(element: Answered, fieldTypes: FieldTypeRegistry): string | undefined {
  const text = String(element.answer);
  if (element.kind === 'plugin') {
    for (const [key, value] of pluginValues(element.slug, text))
      if (key === element.slug) return String(value);
    return text;
  }
  const type = fieldTypes.resolve(element.fieldType);
  if (type !== undefined && type.lane !== 'inline') return undefined;
  const labels = new Map(element.choices?.map(({ value, label }) => [value, label]));
  if (type?.input !== 'multilist' && type?.input !== 'composite') return labels.get(text) ?? text;
  try {
    const parts: unknown[] = Object.values(JSON.parse(text));
    return parts
      .filter(Boolean)
      .map((part) => labels.get(String(part)) ?? String(part))
      .join(', ');
  } catch {
    return text;
  }
}
