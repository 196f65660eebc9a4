import type { PluginAnswer, PluginSpec } from '@symbolon/protocol';
import type { ComputedOutputs, PluginOption } from './plugin-fields.ts';

/** What was filled into the blocks of a field: an option, or what was typed. */
export type FilledBlocks = Readonly<Record<string, PluginOption | string | number | undefined>>;

/**
 * The value of a plugin field, as it is sealed (wire 13.5).
 *
 * @param blocks by their keys; a block that was left out has no value
 * @param outputs as the plugin computed them
 */
export function pluginAnswer(
  spec: PluginSpec,
  blocks: FilledBlocks,
  outputs: Extract<ComputedOutputs, { outputs: unknown }>['outputs'],
): string {
  const answer: PluginAnswer = {
    plugin: spec.snapshot.plugin_name ?? '',
    type: spec.field_type,
    blocks: spec.snapshot.blocks.map(({ key, kind, label }) => {
      const filled = Object.hasOwn(blocks, key) ? blocks[key] : undefined;
      return typeof filled === 'object'
        ? { key, kind, label, id: filled.id, value: filled.label }
        : { key, kind, label, value: filled ?? null };
    }),
    outputs: spec.snapshot.outputs.map(({ key, type, label }) => ({
      key,
      type,
      label,
      value: Object.hasOwn(outputs, key) ? (outputs[key] ?? null) : null,
    })),
  };
  return JSON.stringify(answer);
}
