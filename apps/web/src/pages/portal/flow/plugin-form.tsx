import type { FlowPlugin } from '@symbolon/flows';
import { FLOW_KEY_PATTERN } from '@symbolon/protocol/constants';
import { offersOf, pluginName, snapshotOf } from '../../../platform/portal/plugins.ts';
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
  const offers = offersOf(plugins);
  const choose = (value: string) => {
    const offer = offers.find((each) => choiceOf(each.plugin.id, each.type.key) === value);
    if (offer === undefined) return;
    const chosen = {
      ...{ plugin_id: offer.plugin.id, field_type: offer.type.key },
      ...{ snapshot: snapshotOf(offer.plugin, offer.type), inputs: {} },
    };
    change({ ...element, plugin: chosen }, 'plugin');
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
        value={plugin.plugin_id === '' ? '' : choiceOf(plugin.plugin_id, plugin.field_type)}
        choices={offers.map(({ plugin: offered, type }) => ({
          value: choiceOf(offered.id, type.key),
          label: `${pluginName(offered)}: ${type.label}`,
        }))}
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

const choiceOf = (pluginId: string, type: string) => `${pluginId} ${type}`;
