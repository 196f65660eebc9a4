import type { PluginFieldType, PluginReply, PluginRequest } from '@symbolon/protocol';

/** A plugin that comes with the platform and runs in the forwarder. */
export interface Builtin {
  readonly key: string;
  readonly name: string;
  readonly field_types: readonly PluginFieldType[];
  answer(request: PluginRequest): PluginReply | Promise<PluginReply>;
}
