import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { FlowField, FlowPlugin } from '@symbolon/protocol';
import { type FlowIssue, issue, segment } from './issue.ts';

/** A field of a type that there is, and that a party can answer (wire 13.2). */
export function* checkField(
  field: FlowField,
  fieldTypes: FieldTypeRegistry,
  path: string,
): Generator<FlowIssue> {
  if (!fieldTypes.has(field.field_type))
    yield issue('field_type_unknown', `${path}/field_type`, 'There is no such field type.');
  else if (!fieldTypes.isRequestable(field.field_type) && (field.options ?? []).length === 0)
    yield issue('options_missing', `${path}/options`, 'Give this choice its options.');
}

/**
 * A plugin that is described, whose inputs are filled from keys of the flow (wire 13.2).
 *
 * @param described The field types of each plugin of the company, by the plugin's id.
 */
export function* checkPlugin(
  { plugin }: FlowPlugin,
  described: ReadonlyMap<string, ReadonlySet<string>>,
  keys: ReadonlySet<string>,
  path: string,
): Generator<FlowIssue> {
  const { snapshot, inputs = {} } = plugin;
  if (!snapshot || !described.get(plugin.plugin_id)?.has(plugin.field_type)) {
    yield issue('plugin_unknown', `${path}/plugin`, 'The plugin has not described this field type.');
    return;
  }
  for (const { key, required } of snapshot.inputs) {
    const source = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
    if (required && (source === undefined || source === ''))
      yield issue('plugin_input_missing', `${path}/plugin/inputs/${key}`, `Fill the input '${key}'.`);
  }
  const names = new Set(snapshot.inputs.map(({ key }) => key));
  for (const [key, source] of Object.entries(inputs)) {
    const at = `${path}/plugin/inputs/${segment(key)}`;
    if (!names.has(key)) yield issue('reference_unknown', at, 'The plugin has no such input.');
    else if (source !== '' && !keys.has(source))
      yield issue('reference_unknown', at, 'No answer or constant has this key.');
  }
}
