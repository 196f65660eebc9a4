import type { FlowNode, FlowOutput, FlowRule } from '@symbolon/protocol';
import { Budget } from './budget.ts';
import { holds } from './condition.ts';
import type { Values } from './values.ts';

/** A document that is to be made, and the rule that says from which PDF. */
export interface ChosenOutput {
  readonly output: FlowOutput;
  readonly rule: FlowRule;
}

/**
 * The documents of the node at which a flow ended: of each output the first rule whose condition holds and whose source
 * the run has (wire 13.7). An output without such a rule makes no document.
 */
export function chooseOutputs(
  node: FlowNode,
  values: Values,
  hasSource: (rule: FlowRule) => boolean,
  budget: Budget = new Budget(),
): ChosenOutput[] {
  return (node.outputs ?? []).flatMap((output) => {
    const rule = output.rules.find((each) => holds(each.condition, values, budget) && hasSource(each));
    return rule === undefined ? [] : [{ output, rule }];
  });
}
