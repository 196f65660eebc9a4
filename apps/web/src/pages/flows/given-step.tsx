import { Paper, Stack, Text } from '@mantine/core';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type ElementView, pluginValues, type StepView } from '@symbolon/flows';
import { useId } from 'react';
import { useInsideText } from '../../text/inside/index.tsx';
import classes from './flow-page.module.css';

/** A step that the person has answered, folded: what waits is on the screen first. */
export function GivenStep({ step, fieldTypes }: { step: StepView; fieldTypes: FieldTypeRegistry }) {
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
            <Text style={{ overflowWrap: 'anywhere' }}>
              {shown(element, fieldTypes) ?? t('flows.given.file')}
            </Text>
          </div>
        ))}
      </Stack>
    </Paper>
  );
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
