export {
  type FlowCondition,
  type FlowConstant,
  FlowDefinition,
  type FlowEdge,
  type FlowElement,
  type FlowExpression,
  type FlowField,
  type FlowNode,
  type FlowOutput,
  type FlowParty,
  type FlowPlugin,
  type FlowRule,
  type FlowText,
  type PluginSnapshot,
} from '@symbolon/protocol';
export { checkDefinition, checkDraft, type Surroundings } from './check-definition.ts';
export { holds } from './condition.ts';
export { withConstants } from './constants.ts';
export { type Evaluation, evaluate } from './expression.ts';
export type { FlowIssue, FlowIssueCode } from './issue.ts';
export { pluginValues } from './plugin-answer.ts';
export { isAnswered, textOf, type Values } from './values.ts';
