/** For the server of a company's plugin (wire 14). */

export { fastifyPlugin, nodePlugin, type PluginScope } from './adapters.ts';
export {
  type FieldRequest,
  type OptionsRequest,
  Plugin,
  type PluginDefinition,
  type PluginField,
  type PluginHttpReply,
  type PluginHttpRequest,
  type PluginOptions,
} from './plugin.ts';
export { pluginKey } from './plugin-key.ts';

import { Plugin, type PluginOptions } from './plugin.ts';

/**
 * Makes a plugin: it describes itself, opens requests and seals replies.
 *
 * @example
 * const plugin = createPlugin({ name: 'Streets', key: await pluginKey('plugin-key.pem'), fields });
 * createServer(nodePlugin(plugin)).listen(8090);
 */
export const createPlugin = (options: PluginOptions): Plugin => new Plugin(options);
