/**
 * A plugin: offers parking spaces while a person types, and tells what a space costs.
 *
 *   symbolon plugin dev examples/plugin/server.ts             while it is written
 *   PLUGIN_TOKEN=secret node examples/plugin/server.ts        behind a proxy with a certificate
 */
import { createServer } from 'node:http';
import { createPlugin, nodePlugin, type PluginDefinition, pluginKey } from '@symbolon/sdk/plugin';

/** A real plugin asks its own database. */
const spaces = [
  { id: 'a1', label: 'A1, covered', perMonth: 90 },
  { id: 'a2', label: 'A2, covered', perMonth: 90 },
  { id: 'b7', label: 'B7, in the yard', perMonth: 55 },
];

export const plugin: PluginDefinition = {
  name: 'Parking',
  fields: [
    {
      key: 'space',
      label: 'Parking space',
      blocks: [
        { key: 'space', kind: 'search_select', label: 'Space', required: true },
        { key: 'months', kind: 'number', label: 'Months', required: true },
      ],
      outputs: [{ key: 'price', type: 'number', label: 'Price in euros' }],
      onOptions: ({ query }) =>
        spaces.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase())),
      onOutputs({ picks, values }) {
        const space = spaces.find(({ id }) => id === picks.space);
        return space && { price: space.perMonth * Number(values.months) };
      },
    },
  ],
};

if (import.meta.main) {
  const token = process.env.PLUGIN_TOKEN;
  if (token === undefined) throw new Error('PLUGIN_TOKEN is what the platform is to send.');
  const running = createPlugin({
    ...plugin,
    token,
    key: await pluginKey('plugin-key.pem'),
    onError: (error) => console.error(error),
  });
  createServer(nodePlugin(running)).listen(8090, () => console.log('http://127.0.0.1:8090'));
}
