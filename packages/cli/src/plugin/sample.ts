/** A plugin to begin with. It imports nothing at run time, so that it runs in an empty folder. */
export const SAMPLE = `import type { PluginDefinition } from '@symbolon/sdk/plugin';

const bikes = [
  { id: 'city', label: 'City bike', price: 12 },
  { id: 'cargo', label: 'Cargo bike', price: 25 },
  { id: 'mountain', label: 'Mountain bike', price: 18 },
];

export const plugin: PluginDefinition = {
  name: 'Bike rental',
  fields: [
    {
      key: 'rental',
      label: 'Rental',
      // What people fill in.
      blocks: [
        { key: 'bike', kind: 'search_select', label: 'Bike', required: true },
        { key: 'days', kind: 'number', label: 'Days', required: true },
      ],
      // What comes of it.
      outputs: [{ key: 'price', type: 'number', label: 'Price in euros' }],
      onOptions: ({ query }) => bikes.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase())),
      onOutputs({ picks, values }) {
        const bike = bikes.find(({ id }) => id === picks.bike);
        // Undefined says that the bike is not there any more.
        return bike && { price: bike.price * Number(values.days) };
      },
    },
  ],
};
`;
