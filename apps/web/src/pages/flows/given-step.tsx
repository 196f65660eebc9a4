import { Stack, Text } from '@mantine/core';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type ElementView, pluginValues, type StepView } from '@symbolon/flows';
import { Section } from '../../parts/section.tsx';
import { useText } from '../../text/index.tsx';

/** A step that the person has answered. */
export function GivenStep({ step, fieldTypes }: { step: StepView; fieldTypes: FieldTypeRegistry }) {
  const { t } = useText();
  const answered = step.elements.flatMap((element) =>
    element.kind === 'text' || element.answer === null ? [] : [element],
  );
  return (
    <Section title={step.title} lead={t('flows.given')}>
      {answered.length === 0 && <Text size="sm">{t('flows.given.nothing')}</Text>}
      <Stack gap="xs">
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
    </Section>
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
