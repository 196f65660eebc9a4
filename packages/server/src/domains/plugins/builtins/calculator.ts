import { evaluate } from '@symbolon/flows';
import type { PluginReply, PluginRequest } from '@symbolon/protocol';
import type { Builtin } from './builtin.ts';
import { parseFormula } from './formula.ts';

const VARIABLES = ['a', 'b', 'c', 'd'] as const;

/** Computes a typed formula, over numbers of the flow. */
export const calculator: Builtin = {
  key: 'calculator',
  name: 'Calculator',
  field_types: [
    {
      key: 'formula',
      label: 'Formula',
      blocks: [{ key: 'formula', kind: 'text', label: 'Formula, such as (a + 12.5) * 3', required: true }],
      inputs: VARIABLES.map((key) => ({
        key,
        type: 'number' as const,
        label: `Number ${key}`,
        required: false,
      })),
      outputs: [{ key: 'result', type: 'number', label: 'Result' }],
    },
  ],
  answer: (request) => (request.op === 'outputs' ? outputs(request) : { options: [], more: false }),
};

/** A formula that cannot be read, or has no value, gives none. */
function outputs({ values, inputs }: PluginRequest): PluginReply {
  const formula = parseFormula(String(values.formula ?? ''), new Set(VARIABLES));
  const result =
    formula === undefined
      ? null
      : evaluate(formula, { values: new Map(Object.entries(inputs)), referenceDate: '' });
  return { outputs: { result: typeof result === 'number' ? result : null } };
}
