import type { Builtin } from './builtin.ts';
import { calculator } from './calculator.ts';
import { places } from './places/places.ts';

const builtins: readonly Builtin[] = [calculator, places];

/** The plugins of the platform. */
export const platformPlugins = {
  list: () => builtins,
  find: (key: string) => builtins.find((builtin) => builtin.key === key),
} as const;
export type Builtins = typeof platformPlugins;
