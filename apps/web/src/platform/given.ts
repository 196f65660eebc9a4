import type { FilledBlocks } from '@symbolon/sdk/device';

/** A value as it is typed: text, the picks of a choice, the members of a composite. */
export type Typed = string | readonly string[] | Readonly<Record<string, string>>;

/** What was typed for a field that the company's own server answers. */
export type PluginGiven = {
  readonly kind: 'plugin';
  readonly blocks: FilledBlocks;
  /** Once the plugin has computed what it says. */
  readonly text?: string;
};
