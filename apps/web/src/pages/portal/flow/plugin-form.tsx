import type { FlowPlugin } from '@symbolon/flows';
import { FLOW_KEY_PATTERN } from '@symbolon/protocol/constants';
import { usePortalText } from '../../../text/portal/index.tsx';
import { answerChoices } from './answer-choices.ts';
import { useEditor } from './context.ts';
import { answerKeys } from './edits.ts';
import { KeyLine, Line, Pick, Tick } from './inputs.tsx';

/** A field that a plugin answers. */
export function PluginForm({
  element,
  change,
}: {
  element: FlowPlugin;
  change: (next: FlowPlugin, member: string) => void;
}) {
  const { t } = usePortalText();
  const { definition, plugins } = useEditor();
  const { plugin } = element;
  const types = plugins.flatMap(({ id, name, base_url: url, field_types: described }) =>
    described.map((type) => ({ id, name, url, type, value: `${id} ${type.key}` })),
  );
  const choose = (value: string) => {
    const found = types.find((each) => each.value === value);
    if (found === undefined) return;
    const { key, label, blocks, inputs, outputs } = found.type;
    const host = found.url && URL.canParse(found.url) ? new URL(found.url).host : undefined;
    const snapshot = {
      ...(found.name && { plugin_name: found.name }),
      ...(host && { host }),
      label,
      blocks,
      inputs,
      outputs,
    };
    change({ ...element, plugin: { plugin_id: found.id, field_type: key, snapshot, inputs: {} } }, 'plugin');
  };
  const filled = plugin.inputs ?? {};
  return (
    <>
      <Line
        label={t('flow.field.label')}
        value={element.label}
        change={(label) => change({ ...element, label }, 'label')}
      />
      <Pick
        label={t('flow.plugin.type')}
        placeholder={t('flow.plugin.choose')}
        value={plugin.plugin_id === '' ? '' : `${plugin.plugin_id} ${plugin.field_type}`}
        choices={types.map(({ value, name, type }) => ({ value, label: `${name ?? ''}: ${type.label}` }))}
        change={choose}
      />
      {plugin.snapshot?.inputs.map(({ key, label, required }) => (
        <Pick
          key={key}
          label={t('flow.plugin.input', { label: label || key })}
          value={filled[key] ?? ''}
          choices={[
            { value: '', label: t(required ? 'flow.plugin.input.missing' : 'flow.plugin.input.none') },
            ...answerChoices(definition),
          ]}
          change={(from) => {
            const { [key]: _former, ...others } = filled;
            const inputs = from === '' ? others : { ...others, [key]: from };
            change({ ...element, plugin: { ...plugin, inputs } }, `input/${key}`);
          }}
        />
      ))}
      <Tick
        label={t('flow.field.required')}
        value={element.required}
        change={(required) => change({ ...element, required }, 'required')}
      />
      <KeyLine
        label={t('flow.field.slug')}
        description={t('flow.field.slug.hint', { key: `{{ ${element.slug} }}` })}
        value={element.slug}
        pattern={FLOW_KEY_PATTERN}
        taken={[...answerKeys(definition), ...definition.parties.map(({ key }) => key), 'item']}
        change={(slug) => change({ ...element, slug }, 'slug')}
      />
    </>
  );
}
