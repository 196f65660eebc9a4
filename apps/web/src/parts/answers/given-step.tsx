import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type ElementView, pluginValues, type StepView } from '@symbolon/flows';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { isMasked } from '../../platform/shown-value.ts';
import { useInsideText } from '../../text/inside/index.tsx';
import { useShownText } from '../shown-text.ts';
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
  const types = useMemo(() => ({ get: (type: string) => fieldTypes.resolve(type) }), [fieldTypes]);
  const shown = useShownText(
    types,
    answered.map(({ fieldType }) => ({ type: fieldType })),
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
            <Answer {...{ element, fieldTypes, shown }} {...(file && { file })} />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}

type Answered = Exclude<ElementView, { kind: 'text' }>;
type AnswerProps = Omit<Props, 'step'> & {
  element: Answered;
  shown: ReturnType<typeof useShownText>;
};

function Answer({ element, fieldTypes, file, shown }: AnswerProps) {
  const { t } = useInsideText();
  const [isOpen, setOpen] = useState(false);
  const { label, fieldType } = element;
  const type = fieldTypes.resolve(fieldType);
  const text = String(element.answer);
  if (element.kind === 'plugin') return <Line>{pluginText(element.slug, text)}</Line>;
  if (type !== undefined && type.lane !== 'inline')
    return file?.(element) ?? <Line>{t('flows.given.file')}</Line>;
  return (
    <Group gap="xs">
      <Line>{shown({ type: fieldType, text, choices: element.choices }, isOpen)}</Line>
      {isMasked(type) && (
        <Button variant="subtle" size="compact-md" mih={44} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'fields.hide' : 'fields.show', { label })}
        </Button>
      )}
    </Group>
  );
}

const Line = ({ children }: { children: string }) => (
  <Text style={{ overflowWrap: 'anywhere' }}>
    <bdi>{children}</bdi>
  </Text>
);

/** What a plugin answered, without what it computed besides. */
function pluginText(slug: string, text: string): string {
  for (const [key, value] of pluginValues(slug, text)) if (key === slug) return String(value);
  return text;
}
