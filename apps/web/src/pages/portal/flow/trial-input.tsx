import { Checkbox, Input, Radio, Stack, TextInput } from '@mantine/core';
import type { ElementView } from '@symbolon/flows';
import { ValueInput } from '../../../parts/answers/field-input.tsx';
import { useFieldLabel } from '../../../parts/field-label.ts';
import { optionText } from '../../../text/options.ts';
import { usePortalText } from '../../../text/portal/index.tsx';
import { useEditor } from './context.ts';

type Asked = Exclude<ElementView, { kind: 'text' }>;
type Props<T extends Asked = Asked> = {
  element: T;
  value: string;
  change: (value: string) => void;
  error: string | undefined;
};

/** The envelope of an ID document with the smallest picture. */
const SAMPLE_PAGES = '{"pages":[{"label":"front","file":"data:image/png;base64,iVBORw0KGgo="}]}';

/** An answer in a trial: what shapes the value is there, files and plugins are made up. */
export function TrialInput(props: Props) {
  const { element, error } = props;
  return (
    <Stack gap={4}>
      {element.kind === 'plugin' ? (
        <PluginAnswer {...props} element={element} />
      ) : (
        <FieldAnswer {...props} element={element} />
      )}
      {error !== undefined && (
        <Input.Error role="alert" size="sm">
          {error}
        </Input.Error>
      )}
    </Stack>
  );
}

function FieldAnswer({ element, value, change }: Props<Extract<Asked, { kind: 'field' }>>) {
  const { t, language } = usePortalText();
  const { surroundings } = useEditor();
  const labelOf = useFieldLabel();
  const type = surroundings.fieldTypes.resolve(element.fieldType);
  if (type === undefined) return null;
  const label = element.required ? element.label : t('try.optional', { label: element.label });
  if (type.lane !== 'inline') {
    const given = type.input === 'pages' ? SAMPLE_PAGES : '{}';
    return (
      <Checkbox
        label={t('try.giveFile', { label })}
        checked={value !== ''}
        onChange={(event) => change(event.currentTarget.checked ? given : '')}
      />
    );
  }
  const choices = element.choices?.map(({ value: option, label: name }) => ({
    value: option,
    label: optionText(type, option, language) ?? name,
  }));
  if (type.input === 'multilist') {
    const picked = listOf(value);
    const toggle = (choice: string, isOn: boolean) => {
      const next = isOn ? [...picked, choice] : picked.filter((each) => each !== choice);
      change(next.length === 0 ? '' : JSON.stringify(next));
    };
    return (
      <Input.Wrapper label={label} labelElement="div">
        <Stack gap={6} mt={4} role="group" aria-label={label}>
          {choices?.map((choice) => (
            <Checkbox
              key={choice.value}
              label={choice.label}
              checked={picked.includes(choice.value)}
              onChange={(event) => toggle(choice.value, event.currentTarget.checked)}
            />
          ))}
        </Stack>
      </Input.Wrapper>
    );
  }
  if (type.input === 'composite') {
    const members = membersOf(value);
    return (
      <Input.Wrapper label={label} labelElement="div">
        <Stack gap={6} mt={4} role="group" aria-label={label}>
          {(type.fields ?? []).map(({ key, input, options, required }) => (
            <ValueInput
              key={key}
              label={labelOf.member(key)}
              input={input}
              options={options}
              required={required}
              value={members[key] ?? ''}
              change={(next) => change(JSON.stringify({ ...members, [key]: next }))}
            />
          ))}
        </Stack>
      </Input.Wrapper>
    );
  }
  if (choices !== undefined) return <Choose label={label} choices={choices} value={value} change={change} />;
  return (
    <ValueInput
      label={label}
      input={type.input}
      options={null}
      required={false}
      lineage={type.lineage}
      value={value}
      change={change}
    />
  );
}

function Choose(props: {
  label: string;
  choices: readonly { value: string; label: string }[];
  value: string;
  change: (value: string) => void;
}) {
  const { label, choices, value, change } = props;
  return (
    <Input.Wrapper label={label} labelElement="div">
      <Stack gap={6} mt={4} role="radiogroup" aria-label={label}>
        {choices.map((choice) => (
          <Radio
            key={choice.value}
            label={choice.label}
            checked={value === choice.value}
            onChange={() => change(choice.value)}
          />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}

/** The plugin is not called: the author says what it would answer. */
function PluginAnswer({ element, value, change }: Props<Extract<Asked, { kind: 'plugin' }>>) {
  const { t } = usePortalText();
  const { blocks = [], outputs = [] } = element.snapshot ?? {};
  const { members = {} } = parsed(value);
  const set = (name: string, text: string) => {
    const next = { ...members, [name]: text };
    const of = <T extends { key: string }>(list: readonly T[], kind: string) =>
      list.map((each) => ({ ...each, value: next[`${kind} ${each.key}`] ?? '' }));
    change(
      JSON.stringify({
        plugin: element.pluginId,
        type: element.fieldType,
        blocks: of(blocks, 'block'),
        outputs: of(outputs, 'output'),
        members: next,
      }),
    );
  };
  return (
    <Input.Wrapper label={element.label} labelElement="div" description={t('try.plugin')}>
      <Stack gap={6} mt={4} role="group" aria-label={element.label}>
        {[
          ...blocks.map((each) => ({ each, kind: 'block' })),
          ...outputs.map((each) => ({ each, kind: 'output' })),
        ].map(({ each, kind }) => (
          <TextInput
            key={`${kind} ${each.key}`}
            size="sm"
            label={each.label || each.key}
            value={members[`${kind} ${each.key}`] ?? ''}
            onChange={(event) => set(`${kind} ${each.key}`, event.currentTarget.value)}
          />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}

function parsed(text: string): { members?: Record<string, string> } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const membersOf = (text: string): Record<string, string> => parsed(text) as Record<string, string>;

function listOf(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}
